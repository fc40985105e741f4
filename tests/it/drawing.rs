//! A drawing read back from a page: its elements, and what stands where.

use std::collections::BTreeMap;

use unicode_width::UnicodeWidthChar as _;

/// An element of a drawing.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    /// Classes of the groups around it, and its own.
    pub(crate) classes: Vec<String>,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn number(&self, name: &str) -> f64 {
        self.attributes[name].parse().expect(name)
    }

    pub(crate) fn is(&self, name: &str, class: &str) -> bool {
        self.name == name && self.classes.iter().any(|own| own == class)
    }

    /// Every place that it touches.
    pub(crate) fn places(&self) -> Vec<[f64; 2]> {
        let at = |x: &str, y: &str| [self.number(x), self.number(y)];
        match self.name.as_str() {
            "line" => vec![at("x1", "y1"), at("x2", "y2")],
            "circle" => vec![at("cx", "cy")],
            "rect" => {
                let [x, y] = at("x", "y");
                vec![[x, y], [x + self.number("width"), y + self.number("height")]]
            }
            "path" => {
                let numbers = self.attributes["d"].replace(['M', 'L', 'Z'], " ");
                let numbers: Vec<f64> =
                    numbers.split_whitespace().map(|at| at.parse().expect("a number")).collect();
                numbers.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The elements of the first drawing, and its size.
pub(crate) fn drawing(page: &str) -> (Vec<Element>, [f64; 2]) {
    let (_, from) = page.split_once("<svg ").expect("a drawing");
    let (head, body) = from.split_once('>').expect("a head");
    let (body, _) = body.split_once("</svg>").expect("an end");
    let size = head.split_once("viewBox=\"0 0 ").expect("a box").1;
    let size: Vec<f64> = size
        .split_once('"')
        .expect("closed")
        .0
        .split(' ')
        .map(|n| n.parse().expect("a size"))
        .collect();
    let mut groups: Vec<Vec<String>> = Vec::new();
    let mut found = Vec::new();
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag");
        let tag = tag.trim_end_matches('/');
        if tag == "/g" {
            groups.pop();
        }
        let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = BTreeMap::new();
        for pair in rest.split("\" ").filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once("=\"").expect("an attribute");
            attributes.insert(key.to_owned(), value.trim_end_matches('"').to_owned());
        }
        let own: Vec<String> = attributes
            .get("class")
            .map(|classes| classes.split(' ').map(str::to_owned).collect())
            .unwrap_or_default();
        if name == "g" {
            groups.push(own);
            continue;
        }
        let classes = groups.iter().flatten().cloned().chain(own).collect();
        found.push(Element {
            name: name.to_owned(),
            classes,
            attributes,
            text: text.replace("&amp;", "&"),
        });
    }
    (found, [size[0], size[1]])
}

/// Where a value stands along a scale, by two of the numbers that are written along it.
pub(crate) fn along(elements: &[Element], coordinate: &str, class: &str) -> impl Fn(f64) -> f64 {
    let ticks: Vec<(f64, f64)> = elements
        .iter()
        .filter(|one| one.is("text", class))
        .filter_map(|one| {
            let value: f64 = one.text.replace('−', "-").replace(',', "").parse().ok()?;
            Some((value, one.number(coordinate)))
        })
        .collect();
    let ((a, from), (b, to)) = (ticks[0], ticks[ticks.len() - 1]);
    move |value| from + (value - a) * (to - from) / (b - a)
}

/// Half-open boxes of the texts, wider than any font makes them by what the charts allow for.
pub(crate) fn text_box(element: &Element) -> [f64; 4] {
    let is_small = ["tick", "figure", "group"]
        .iter()
        .any(|small| element.classes.last().is_some_and(|own| own == small));
    let size = if is_small { 11.0 } else { 12.0 };
    let em = |c: char| match c {
        'i' | 'l' | '.' | ',' | '(' | ')' | ' ' | '-' | 't' | 'f' | 'r' => 0.28,
        c if c.is_ascii() => 0.53,
        c if c.width_cjk() == Some(2) => 1.0,
        _ => 0.6,
    };
    let width: f64 = element.text.chars().map(em).sum::<f64>() * size;
    let [x, y] = [element.number("x"), element.number("y")];
    let from = match element.attributes.get("text-anchor").map(String::as_str) {
        Some("middle") => x - width / 2.0,
        Some("end") => x - width,
        _ => x,
    };
    [from, y - 0.75 * size, from + width, y + 0.2 * size]
}
