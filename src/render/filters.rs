//! What templates may call beside the language itself: words, and numbers in their units.
//!
//! Computes nothing: a number is shown as `quantity` shows it. `none`, a figure that is not
//! known, is shown as `?`.

use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, Error, ErrorKind, State};

use super::template_values::{UNKNOWN, printed, safe};
use super::{OwnWords, RenderOptions, inline};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::Icon;
use crate::text::{Catalogue, Lang, fill};

const MOST_STARS: usize = 5;

/// Adds them all, for a document in a language.
pub(super) fn add_template_filters(env: &mut Environment<'_>, lang: Lang, options: &RenderOptions) {
    env.add_filter("pct", |value: &Value| number(value, |x| quantity::figure(x, Unit::Fraction)));
    env.add_filter("pp", |value: &Value| {
        number(value, |x| quantity::difference_with_decimals(x, 1, Unit::Fraction))
    });
    env.add_filter("rel", |value: &Value| number(value, quantity::signed_relative_change));
    env.add_filter("money", |value: &Value| number(value, |x| quantity::figure(x, Unit::Dollars)));
    env.add_filter("count", count);
    env.add_filter("icon", icon);
    env.add_filter("stars", |value: &Value| {
        number(value, |x| {
            let points = x.round().clamp(0.0, MOST_STARS as f64) as usize;
            inline::sign(Icon::Star).repeat(points)
        })
    });
    env.add_filter("figure", |value: &Value, unit: &str| {
        let unit = unit_of(unit)?;
        number(value, |x| quantity::figure(x, unit))
    });
    env.add_filter("delta", |value: &Value, unit: &str| {
        let unit = unit_of(unit)?;
        let scale = unit.shown_scale();
        number(value, |x| {
            quantity::difference_with_decimals(x, quantity::decimals(x / scale, unit), unit)
        })
    });
    let own = options.own.as_ref().and_then(|own| own.words.get(lang)).cloned();
    let catalogue = options.catalogues.of(lang);
    env.add_function("t", move |state: &State<'_, '_>, key: &str, args: Kwargs| {
        words(state, key, &args, (own.as_ref(), catalogue))
    });
}

fn number(value: &Value, show: impl Fn(f64) -> String) -> Result<String, Error> {
    if value.is_none() {
        return Ok(UNKNOWN.to_owned());
    }
    match f64::try_from(value.clone()) {
        Ok(number) if number.is_finite() => Ok(show(number)),
        Ok(_) => Ok(UNKNOWN.to_owned()),
        Err(_) => Err(not_a_number(value)),
    }
}

fn not_a_number(value: &Value) -> Error {
    if value.is_undefined() {
        return ErrorKind::UndefinedError.into();
    }
    let kind = value.kind();
    Error::new(
        ErrorKind::InvalidOperation,
        format!("a number is needed here, got a value of kind {kind}"),
    )
}

fn count(value: &Value) -> Result<String, Error> {
    if value.is_none() {
        return Ok(UNKNOWN.to_owned());
    }
    u64::try_from(value.clone()).map(quantity::count).map_err(|_| {
        if f64::try_from(value.clone()).is_err() {
            return not_a_number(value);
        }
        let message = format!("a whole number that is not negative is needed here, got {value}");
        Error::new(ErrorKind::InvalidOperation, message)
    })
}

/// The sign of a number, or the sign of a word such as `good`.
fn icon(value: &Value) -> Result<String, Error> {
    let Some(word) = value.as_str() else {
        return number(value, |x| {
            let sign = match x {
                x if x > 0.0 => Icon::Up,
                x if x < 0.0 => Icon::Down,
                _ => Icon::Flat,
            };
            inline::sign(sign).to_owned()
        });
    };
    let sign = match word {
        "better" | "pass" | "good" | "equivalent" | "identical" => Icon::Good,
        "worse" | "fail" | "bad" => Icon::Bad,
        "caution" | "warning" | "inconclusive" => Icon::Caution,
        "severe" | "error" => Icon::Severe,
        "open" | "not-assessable" | "skipped" | "not-gateable" => Icon::Open,
        _ => {
            let message = format!("there is no sign for \"{word}\"");
            return Err(Error::new(ErrorKind::InvalidOperation, message));
        }
    };
    Ok(inline::sign(sign).to_owned())
}

fn unit_of(name: &str) -> Result<Unit, Error> {
    let known = Unit::ALL.into_iter().find(|unit| unit.name() == name);
    known.ok_or_else(|| {
        let names = Unit::ALL.map(Unit::name).join(", ");
        let message = format!("there is no unit \"{name}\"; there are {names}");
        Error::new(ErrorKind::InvalidOperation, message)
    })
}

/// The words of the report kind, else those of the catalogue; what is filled in is escaped.
fn words(
    state: &State<'_, '_>,
    key: &str,
    args: &Kwargs,
    (own, catalogue): (Option<&OwnWords>, &Catalogue),
) -> Result<Value, Error> {
    let lang = catalogue.lang;
    let own = own.and_then(|own| own.texts.get(key));
    let Some(text) = own.map(String::as_str).or_else(|| catalogue.find(key)) else {
        let message = format!("there are no words `{key}` in {}", lang.bcp47);
        return Err(Error::new(ErrorKind::InvalidOperation, message));
    };
    let mut lacking = None;
    let filled = fill(text, lang, |name| {
        let value = args.get::<Value>(name).ok().filter(|value| !value.is_undefined());
        if value.is_none() {
            lacking.get_or_insert_with(|| name.to_owned());
        }
        Some(printed(&value?, state))
    });
    if let Some(name) = lacking {
        let message = format!("the words `{key}` need a value for {{{name}}}");
        return Err(Error::new(ErrorKind::MissingArgument, message));
    }
    args.assert_all_used()?;
    Ok(safe(filled))
}
