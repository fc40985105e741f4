//! What a page or a terminal would do with a text that only ought to be shown.

/// Elements that a report is made of.
const ELEMENTS: [&str; 66] = [
    "html",
    "head",
    "meta",
    "title",
    "body",
    "div",
    "header",
    "nav",
    "main",
    "footer",
    "section",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "p",
    "a",
    "img",
    "ul",
    "ol",
    "li",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "pre",
    "code",
    "em",
    "strong",
    "del",
    "input",
    "br",
    "hr",
    "blockquote",
    "details",
    "summary",
    "sup",
    "sub",
    "span",
    "b",
    "i",
    "u",
    "s",
    "dl",
    "dt",
    "dd",
    "article",
    "fieldset",
    "legend",
    "label",
    "ins",
    "small",
    "figure",
    "figcaption",
    "svg",
    "desc",
    "g",
    "line",
    "rect",
    "circle",
    "path",
    "text",
];
/// Attributes whose value is run or styles the page; those that begin with `on` are too.
const ACTIVE_ATTRIBUTES: [&str; 7] =
    ["style", "srcdoc", "action", "formaction", "background", "srcset", "xlink:href"];
const ACTIVE_SCHEMES: [&str; 5] = ["javascript", "vbscript", "file", "data", "blob"];
/// Marks that turn or hide the direction of text.
const BIDI: [char; 12] = [
    '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// What in a page is more than text, beside the program's own style and script.
pub(super) fn active_in_page(page: &str) -> Option<String> {
    let (before, style) = page.split_once("<style>")?;
    let (_own_style, body) = style.split_once("</style>")?;
    let (body, script) = body.rsplit_once("<script>")?;
    let (_own_script, end) = script.split_once("</script>")?;
    [before, body, end].into_iter().find_map(active_in)
}

fn active_in(html: &str) -> Option<String> {
    let mut rest = html;
    while let Some((_, from)) = rest.split_once('<') {
        rest = from;
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let tag = rest.strip_prefix('/').unwrap_or(rest);
        if !tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let end = tag.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'));
        let (name, attributes) = tag.split_at(end.unwrap_or(tag.len()));
        let name = name.to_ascii_lowercase();
        if !ELEMENTS.contains(&&*name) {
            return Some(format!("<{name}>"));
        }
        rest = attributes;
        while let Some((attribute, value)) = next_attribute(&mut rest) {
            if is_active(&attribute, &value) {
                return Some(format!("{attribute}={value}"));
            }
        }
    }
    None
}

/// The next attribute of a tag, read as a browser reads it; `None` behind its end.
fn next_attribute(rest: &mut &str) -> Option<(String, String)> {
    *rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
    if rest.is_empty() || rest.starts_with('>') {
        return None;
    }
    let ends = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>' | '=');
    let (name, behind) = rest.split_at(rest.find(ends).unwrap_or(rest.len()).max(1));
    *rest = behind;
    let Some(value) = behind.trim_ascii_start().strip_prefix('=') else {
        return Some((name.to_ascii_lowercase(), String::new()));
    };
    let value = value.trim_ascii_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (value, behind) = if let Some(quote) = quote {
        value[1..].split_once(quote).unwrap_or((&value[1..], ""))
    } else {
        let ends = |c: char| c.is_ascii_whitespace() || c == '>';
        value.split_at(value.find(ends).unwrap_or(value.len()))
    };
    *rest = behind;
    Some((name.to_ascii_lowercase(), value.to_owned()))
}

fn is_active(attribute: &str, value: &str) -> bool {
    if attribute.starts_with("on") || ACTIVE_ATTRIBUTES.contains(&attribute) {
        return true;
    }
    if !matches!(attribute, "href" | "src") {
        return false;
    }
    // A browser drops controls in a scheme, and characters may be written as references.
    let plain = value.replace("&colon;", ":").replace("&Tab;", "").replace("&NewLine;", "");
    let plain: String =
        plain.chars().filter(|c| !c.is_control() && *c != ' ').collect::<String>().to_lowercase();
    let references = plain.contains("&#") && !plain.contains("&#x27;") && !plain.contains("&#39;");
    let scheme = plain.split([':', '/', '?', '#']).next().unwrap_or_default();
    let has_scheme = plain[scheme.len()..].starts_with(':');
    let is_image = attribute == "src" && plain.starts_with("data:image/");
    references || (has_scheme && ACTIVE_SCHEMES.contains(&scheme) && !is_image)
}

/// What a terminal would obey or turn around instead of showing it.
pub(super) fn obeyed_by_terminal(text: &str) -> Option<char> {
    let is_obeyed = |c: &char| (c.is_control() && !matches!(c, '\n' | '\t')) || BIDI.contains(c);
    text.chars().find(is_obeyed)
}

#[test]
fn what_a_browser_runs_is_found_and_what_it_shows_is_not() {
    for active in [
        "<script>x</script>",
        "<p onclick=x>",
        "<a href=\"javascript:x\">",
        "<img/src=x onerror=x>",
        "<a href=' java\tscript:x'>",
        "<a href=javascript&colon;x>",
        "<SVG onload=x>",
        "<p style='x'>",
        "<a title=\"a\"href=\"data:text/html,x\">",
        "<iframe>",
        "<a href='&#106;x:y'>",
    ] {
        assert!(active_in(active).is_some(), "{active}");
    }
    for shown in [
        "a < b > c",
        "&lt;script&gt;",
        "<a href=\"https://x/?a=javascript:x\" class='on'>x</a>",
        "<!-- <script> -->",
        "<td data-v=\"1\">onclick=x</td>",
        "<a href=\"#on\">",
        "<3",
        "<img src=\"data:image/png;base64,x\">",
        "<a title=\"<script>\">",
    ] {
        assert_eq!(active_in(shown), None, "{shown}");
    }
    assert!(obeyed_by_terminal("a\u{1b}[2J").is_some() && obeyed_by_terminal("é\t中\n").is_none());
}
