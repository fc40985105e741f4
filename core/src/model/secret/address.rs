//! Credentials in addresses.

use super::names::PARAMETERS;
use super::shapes::looks_chosen;

/// Addresses of which what follows is the right to use them.
pub(super) const HOOKS: &[&str] = &[
    "hooks.slack.com/services/",
    "hooks.slack.com/triggers/",
    "hooks.slack.com/workflows/",
    "discord.com/api/webhooks/",
    "discordapp.com/api/webhooks/",
    "webhook.office.com/webhookb2/",
    "open.feishu.cn/open-apis/bot/v2/hook/",
    "open.larksuite.com/open-apis/bot/v2/hook/",
    "api.telegram.org/bot",
];

/// Users that stand alone in addresses and are nobody's credential.
const USERS: &[&str] = &["anonymous", "git", "hg", "oauth2", "root", "ubuntu", "user"];

/// Fewest characters of a `code` by which somebody is let in.
const LEAST_CODE: usize = 20;

const ENDS: [char; 8] = [' ', '\t', '\n', '\r', '"', '\'', '<', '`'];

/// Where in `://…` a credential stands, as place and length: the password of a user, a user alone
/// who is a token, or what follows a known hook.
pub(super) fn secret_of_address(scheme: &str, behind: &str) -> Option<(usize, usize)> {
    let rest = behind.strip_prefix("://")?;
    let start = behind.len() - rest.len();
    // What looks like a further address is none of this one's.
    let whole = rest.split("://").next()?;
    let whole = whole.get(..whole.find(ENDS).unwrap_or(whole.len()))?;
    if !["@", "hook", "/bot"].iter().any(|sign| whole.contains(sign)) {
        return None;
    }
    let hook = HOOKS.iter().find_map(|hook| {
        let at = whole.find(hook)? + hook.len();
        let length = whole.get(at..)?.trim_end_matches(['.', ',', ')', ']', '}']).len();
        (length > 0).then_some((start + at, length))
    });
    hook.or_else(|| {
        let user = userinfo(whole)?;
        match user.split_once(':') {
            Some((_, "")) => None,
            Some((name, password)) => Some((start + name.len() + 1, password.len())),
            None => {
                let is_web = matches!(scheme, "http" | "https" | "git+https" | "wss");
                let is_user = USERS.contains(&user) || user.is_empty();
                (is_web && !is_user).then_some((start, user.len()))
            }
        }
    })
}

/// What stands before the `@` of an address.
fn userinfo(whole: &str) -> Option<&str> {
    let authority = whole.split(['/', '?', '#']).next()?;
    if let Some((user, _)) = authority.rsplit_once('@') {
        return Some(user);
    }
    // A password with a slash in it: no port is made of letters.
    let (_, port) = authority.split_once(':')?;
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
    if is_port { None } else { Some(whole.rsplit_once('@')?.0) }
}

/// How long the value of a parameter is, seen from its name: `sig=…`, where `?` or `&` stands before.
pub(super) fn parameter_length(before: &str, name: &str, behind: &str) -> Option<usize> {
    let is_parameter = before.ends_with(['?', '&']) || before.ends_with("&amp;");
    let value = behind.strip_prefix('=').filter(|_| is_parameter)?;
    let name = name.to_ascii_lowercase();
    let is_end = |c| ENDS.contains(&c) || matches!(c, '&' | '#' | ')' | ']');
    let value = value.get(..value.find(is_end).unwrap_or(value.len()))?;
    // A code is also a country, a language or a test.
    let is_code = name == "code" && looks_chosen(value, LEAST_CODE);
    let is_known =
        is_code || PARAMETERS.contains(&name.as_str()) || super::names::of_name(&name).is_some();
    (is_known && !value.is_empty()).then_some(value.len())
}
