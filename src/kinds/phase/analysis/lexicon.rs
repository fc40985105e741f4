//! The words of expectations: from a text to tokens.

/// Which way a number goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedWay {
    Up,
    Down,
    /// The way in which the metric becomes better.
    Better,
}

impl ExpectedWay {
    /// The sign that a size has which goes that way; an improvement is written as a rise.
    pub fn sign(self) -> f64 {
        if self == Self::Down { -1.0 } else { 1.0 }
    }
}

/// One word, sign or number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token {
    /// An arrow, or a word for it; `改善`.
    Way(ExpectedWay),
    /// `不变`.
    About,
    /// `≈`, which a number may follow.
    Roughly,
    /// The only way that is left: `不能下降` leaves up, `不应退化` the better one.
    Only(ExpectedWay),
    /// `达到`: a figure of the candidate follows.
    Level,
    /// `小幅`.
    Slight,
    /// `退化`.
    Degrades,
    /// `趋近`.
    Near,
    /// `±`.
    PlusMinus,
    /// `<`, `≥`.
    Bound {
        /// Whether values below are meant.
        below: bool,
        /// Whether the number itself belongs to them.
        closed: bool,
    },
    /// A number without its sign.
    Number {
        /// Its size.
        value: f64,
        /// +1 or −1, where a sign is written.
        sign: Option<f64>,
    },
    /// `%`.
    Percent,
    /// `pp`.
    Points,
    /// `relative`.
    Relative,
    /// A word that says nothing of its own.
    Filler,
}

const UP: Token = Token::Way(ExpectedWay::Up);
const DOWN: Token = Token::Way(ExpectedWay::Down);
const NOT_WORSE: Token = Token::Only(ExpectedWay::Better);

/// Words and signs in lower case; the longest that fits is taken.
const WORDS: &[(Token, &[&str])] = &[
    (
        UP,
        &[
            "↑",
            "⬆",
            "上升",
            "升",
            "涨",
            "提升",
            "提高",
            "增加",
            "增长",
            "rise",
            "rises",
            "increase",
            "increases",
            "up",
        ],
    ),
    (
        DOWN,
        &[
            "↓",
            "⬇",
            "下降",
            "降",
            "降低",
            "减少",
            "fall",
            "falls",
            "drop",
            "drops",
            "decrease",
            "decreases",
            "down",
        ],
    ),
    (
        Token::About,
        &[
            "➡",
            "→",
            "不变",
            "基本不变",
            "大致不变",
            "基本持平",
            "持平",
            "大致相同",
            "about the same",
            "unchanged",
            "no change",
            "same",
        ],
    ),
    (Token::Roughly, &["≈", "about", "约", "大约"]),
    (
        Token::Only(ExpectedWay::Up),
        &[
            "不能下降",
            "不应下降",
            "不得下降",
            "不下降",
            "must not fall",
            "must not drop",
            "must not decrease",
        ],
    ),
    (
        Token::Only(ExpectedWay::Down),
        &["不能上升", "不应上升", "不得上升", "不上升", "must not rise", "must not increase"],
    ),
    (
        Token::Way(ExpectedWay::Better),
        &["改善", "变好", "better", "must improve", "improve", "improves", "improvement"],
    ),
    (Token::Level, &["to", "至", "到", "达到", "达", "reach", "reaches", "is"]),
    (Token::Slight, &["小幅", "略", "略微", "轻微", "slight", "slightly", "small"]),
    (
        NOT_WORSE,
        &[
            "不应退化",
            "不退化",
            "不得退化",
            "不能退化",
            "must not degrade",
            "should not degrade",
            "no regression",
            "not worse",
        ],
    ),
    (Token::Degrades, &["退化", "degrades", "degrade", "degradation", "regression"]),
    (Token::Near, &["趋近", "接近", "趋于", "near", "close to", "approaches"]),
    (Token::PlusMinus, &["±"]),
    (Token::Bound { below: true, closed: false }, &["<", "小于", "低于", "below", "less than"]),
    (
        Token::Bound { below: true, closed: true },
        &[
            "<=",
            "≤",
            "不超过",
            "at most",
            "不高于",
            "最多",
            "至多",
            "up to",
            "no more than",
            "not more than",
        ],
    ),
    (
        Token::Bound { below: false, closed: false },
        &[">", "大于", "高于", "超过", "above", "more than"],
    ),
    (
        Token::Bound { below: false, closed: true },
        &[">=", "≥", "不低于", "至少", "at least", "不少于"],
    ),
    (Token::Percent, &["%", "percent"]),
    (Token::Points, &["pp", "个百分点", "百分点", "percentage points", "points"]),
    (Token::Relative, &["relative", "相对", "(rel.)"]),
    (
        Token::Filler,
        &[
            "(",
            ")",
            ",",
            "、",
            "。",
            "或",
            "or",
            "and",
            "by",
            "显著",
            "明显",
            "大幅",
            "significantly",
            "significant",
            "clearly",
            "应",
            "应当",
            "应该",
            "should",
            "\u{fe0f}",
            "~",
            "-",
            "..",
            "...",
            "…",
            "……",
            "between",
            "must",
        ],
    ),
];

/// Cuts a text into tokens.
///
/// # Errors
/// The first word that is in no list.
pub(super) fn expectation_tokens(text: &str) -> Result<Vec<Token>, String> {
    let text = plain(text);
    let mut rest = text.trim();
    let mut tokens = Vec::new();
    while !rest.is_empty() {
        let (token, after) = match number(rest, tokens.last()) {
            Some(found) => found?,
            None => word(rest).ok_or_else(|| unknown(rest))?,
        };
        // `不应退化` may say how much: `must not degrade by more than 5pp`.
        let of_worse =
            matches!(token, Token::Bound { below: false, .. }) && tokens.contains(&NOT_WORSE);
        // Behind a number, `to` leads to the other end of a range.
        let of_range = token == Token::Level
            && tokens.iter().any(|token| matches!(token, Token::Number { .. }));
        tokens.push(if of_worse || of_range { Token::Filler } else { token });
        rest = after.trim_start();
    }
    Ok(tokens)
}

/// Lower case, with one sign for those that look alike.
fn plain(text: &str) -> String {
    let one = |c: char| match c {
        '＋' => '+',
        '－' | '−' | '–' | '—' | '‐' | '‑' => '-',
        '～' | '〜' | '∼' => '~',
        '％' => '%',
        '＜' => '<',
        '＞' => '>',
        '≦' | '⩽' => '≤',
        '≧' | '⩾' => '≥',
        '（' => '(',
        '）' => ')',
        '，' | '；' | ';' => ',',
        '．' => '.',
        '０'..='９' => char::from_digit(u32::from(c) - u32::from('０'), 10).unwrap_or(c),
        'Ａ'..='Ｚ' | 'ａ'..='ｚ' => {
            u32::from(c).checked_sub(0xfee0).and_then(char::from_u32).unwrap_or(c)
        }
        c if c.is_whitespace() => ' ',
        c => c,
    };
    text.chars().map(one).flat_map(char::to_lowercase).collect()
}

/// The longest word that the text starts with. Latin words end where a letter does not follow.
fn word(rest: &str) -> Option<(Token, &str)> {
    let known =
        WORDS.iter().flat_map(|(token, words)| words.iter().map(move |word| (*token, *word)));
    let fits = |(_, word): &(Token, &str)| {
        let Some(after) = rest.strip_prefix(*word) else { return false };
        let latin = word.ends_with(|c: char| c.is_ascii_alphabetic());
        !latin || !after.starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    let (token, found) = known.filter(fits).max_by_key(|(_, word)| word.len())?;
    Some((token, rest.get(found.len()..).unwrap_or_default()))
}

type Cut<'t> = (Token, &'t str);

/// The number that the text starts with, its sign before it: a `-` after a number or its unit stands
/// for "to", so that `+20-40` is a range and `-30 - -60` too. `None` where there is no number.
fn number<'t>(rest: &'t str, before: Option<&Token>) -> Option<Result<Cut<'t>, String>> {
    let signed = [('+', 1.0), ('-', -1.0)].into_iter();
    let mut signed = signed.filter_map(|(sign, value)| Some((value, rest.strip_prefix(sign)?)));
    let (sign, digits) = signed.next().map_or((None, rest), |(sign, after)| (Some(sign), after));
    let follows = matches!(before, Some(Token::Number { .. } | Token::Percent | Token::Points));
    if sign == Some(-1.0) && follows {
        return None;
    }
    let digits = digits.trim_start();
    let belongs = |c: char| c.is_ascii_digit();
    if !digits.starts_with(belongs) {
        return None;
    }
    // Two numbers with nothing between them are no range: `1 000` may be one.
    if matches!(before, Some(Token::Number { .. })) {
        return Some(Err(unknown(rest)));
    }
    let (whole, mut after) = digits.split_at(run(digits));
    let mut written = whole.to_owned();
    while let Some(group) = after.strip_prefix(',').filter(|group| group.starts_with(belongs)) {
        // A comma between digits parts thousands; a decimal one is not guessed.
        if run(group) != 3 || whole.len() > 3 || whole.starts_with('0') {
            return Some(Err(number_word(digits)));
        }
        let (group, next) = group.split_at(3);
        written.push_str(group);
        after = next;
    }
    if let Some(fraction) = after.strip_prefix('.').filter(|fraction| fraction.starts_with(belongs))
    {
        let (fraction, next) = fraction.split_at(run(fraction));
        written = format!("{written}.{fraction}");
        after = next;
    }
    let exponent = after.strip_prefix('e').is_some_and(|rest| rest.starts_with(belongs));
    let broken = after.strip_prefix([',', '.']).is_some_and(|rest| rest.starts_with(belongs));
    match written.parse::<f64>() {
        Ok(value) if value.is_finite() && !exponent && !broken => {
            Some(Ok((Token::Number { value, sign }, after)))
        }
        _ => Some(Err(number_word(digits))),
    }
}

/// Bytes of the digits that a text starts with.
fn run(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
}

/// The number that the text starts with as it is written, unit and commas included.
fn number_word(digits: &str) -> String {
    let end = digits.find([' ', '(', ')']).unwrap_or(digits.len());
    digits.get(..end).unwrap_or(digits).to_owned()
}

/// The word that the text starts with, as far as a person sees one.
fn unknown(rest: &str) -> String {
    let rest = rest.strip_prefix('<').unwrap_or(rest);
    let end = rest.find([' ', ',', '(', ')']).filter(|end| *end > 0).unwrap_or(rest.len());
    rest.get(..end).unwrap_or(rest).to_owned()
}
