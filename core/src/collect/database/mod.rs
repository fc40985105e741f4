//! `SQLite` databases, read so that nothing is written beside them and nothing in them is run. Knows no
//! tables.
//!
//! A database is opened where it lies, as one that nobody changes. What is compressed, or has newer rows
//! in a log of changes (`-wal`) beside it, is copied to a private place first. Of what is in it only
//! tables are asked, and views that need no room of their own: no virtual table, and no function but
//! those that compute a value of a row from its cells.

pub(super) mod table;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

pub(super) use rusqlite::Row;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, OpenFlags};
use tempfile::TempDir;

use super::packing::{Compression, decoded, unreadable};
use super::shown;
use crate::diag::{Code, Diagnostic, Location};
use crate::model::Limits;

pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";
/// How a journal begins whose changes are to be undone.
const JOURNAL_MAGIC: &[u8] = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
pub(super) const CHANGES: &str = "-wal";
const JOURNAL: &str = "-journal";
/// How often it is asked whether a query has worked enough, in instructions of the database, and how many
/// instructions a row may take. A row of ten columns takes about 15.
const INSTRUCTIONS: i32 = 1_000_000;
const INSTRUCTIONS_A_ROW: u64 = 100;
/// Functions that a view or a computed column may call: of the cells of a row, and no longer than they.
const OF_CELLS: [&str; 16] = [
    "abs",
    "coalesce",
    "ifnull",
    "iif",
    "json_extract",
    "->",
    "->>",
    "length",
    "lower",
    "ltrim",
    "nullif",
    "round",
    "rtrim",
    "substr",
    "trim",
    "upper",
];
/// Most tables that are looked at.
const MOST_TABLES: usize = 1000;

/// A database that is open for reading.
pub(super) struct Database {
    connection: Connection,
    /// Where its copy lies, which goes with it.
    _copy: Option<TempDir>,
}

/// Opens a database.
///
/// # Errors
/// `R101` where it cannot be opened, or a transaction is under way; `R117` where it would have to be copied
/// and is larger than a document may be.
pub(super) fn open(
    path: &Path,
    compression: Compression,
    limits: Limits,
) -> Result<Database, Box<Diagnostic>> {
    let fault = |cause: &dyn ToString| Box::new(unreadable(&shown(path), cause.to_string()));
    if compression == Compression::None
        && is_open_transaction(path).map_err(|cause| fault(&cause))?
    {
        let cause = "a program is changing it, or broke off while it did (`-journal` beside it); \
                     read it again when that program is done, or open it once with `sqlite3`";
        return Err(fault(&cause));
    }
    let changes = beside(path, CHANGES);
    let has_changes =
        compression == Compression::None && holds_bytes(&changes).map_err(|cause| fault(&cause))?;
    let (connection, copy) = if compression != Compression::None || has_changes {
        let directory = tempfile::tempdir().map_err(|cause| fault(&cause))?;
        let place = directory.path().join("database");
        let mut left = limits.document_bytes();
        let mut copied = copy(path, compression, &place, limits, &mut left);
        if has_changes {
            copied = copied.and_then(|()| {
                copy(&changes, Compression::None, &beside(&place, CHANGES), limits, &mut left)
            });
        }
        copied.map_err(|cause| fault(&cause))?;
        if left == 0 {
            return Err(too_large(path, limits));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        (Connection::open_with_flags(place, flags), Some(directory))
    } else {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        (Connection::open_with_flags(unchanging(path), flags), None)
    };
    // Where a copy lies is nobody's business.
    let without_path = |cause: Error| match cause {
        Error::SqliteFailure(code, _) => code.to_string(),
        other => other.to_string(),
    };
    let mut connection = connection.map_err(|cause| fault(&without_path(cause)))?;
    restrict(&mut connection, limits).map_err(|cause| fault(&cause))?;
    Ok(Database { connection, _copy: copy })
}

/// The path with that at its end.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}

/// Whether changes would have to be undone that a program has begun. It is not done here: a journal may
/// name files to be deleted.
fn is_open_transaction(path: &Path) -> io::Result<bool> {
    let journal = beside(path, JOURNAL);
    if !journal.symlink_metadata().is_ok_and(|about| about.is_file()) {
        return Ok(false);
    }
    let mut start = Vec::new();
    File::open(journal)?.take(JOURNAL_MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start == JOURNAL_MAGIC)
}

/// Whether a file lies beside a database and is not empty.
///
/// # Errors
/// When what lies there is no file: a link may lead anywhere.
fn holds_bytes(path: &Path) -> io::Result<bool> {
    match path.symlink_metadata() {
        Ok(about) if about.is_file() => Ok(about.len() > 0),
        Ok(_) => Err(io::Error::other(format!("`{CHANGES}` beside it is no file"))),
        Err(_) => Ok(false),
    }
}

/// Copies what is in a file, as far as so many bytes are left.
fn copy(
    from: &Path,
    compression: Compression,
    to: &Path,
    limits: Limits,
    left: &mut u64,
) -> io::Result<()> {
    let mut target = File::create_new(to)?;
    let written =
        io::copy(&mut decoded(File::open(from)?, compression, limits)?.take(*left), &mut target)?;
    *left -= written;
    target.flush()
}

fn too_large(path: &Path, limits: Limits) -> Box<Diagnostic> {
    let bytes = path.metadata().map_or(0, |about| about.len());
    let finding = Diagnostic::new(Code::TooLarge).with("limit_mib", limits.document_mib);
    Box::new(finding.with("bytes", bytes).at(Location::file(shown(path))))
}

/// The address of a file of which `SQLite` is told that nobody changes it: it looks for no log of changes
/// and makes no file.
fn unchanging(path: &Path) -> String {
    let mut address = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => address.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => address.push(char::from(*byte)),
            byte => {
                // A text takes everything.
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address + "?immutable=1"
}

/// Forbids everything but to read tables, and bounds the work and the size of a value.
fn restrict(connection: &mut Connection, limits: Limits) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    for config in
        [DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER]
    {
        connection.set_db_config(config, false)?;
    }
    let longest = i32::try_from(limits.line_mib.saturating_mul(1 << 20)).unwrap_or(i32::MAX);
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.execute_batch(
        "PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;",
    )?;
    let most = limits.records.saturating_mul(INSTRUCTIONS_A_ROW);
    let mut left = most / u64::from(INSTRUCTIONS.unsigned_abs()) + 1;
    let is_enough = move || {
        left = left.saturating_sub(1);
        left == 0
    };
    connection.progress_handler(INSTRUCTIONS, Some(is_enough))?;
    connection.authorizer(Some(|asked: AuthContext<'_>| match asked.action {
        AuthAction::Select | AuthAction::Read { .. } => Authorization::Allow,
        AuthAction::Function { function_name }
            if OF_CELLS.iter().any(|name| name.eq_ignore_ascii_case(function_name)) =>
        {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }))
}

impl Database {
    /// The names of its tables, without those of views and virtual ones.
    pub(super) fn tables(&self) -> rusqlite::Result<Vec<String>> {
        let mut found = Vec::new();
        let mut left = MOST_TABLES as u64;
        let query = "SELECT name, sql FROM sqlite_master WHERE type = 'table'";
        self.for_each_row(query, &mut left, |row| {
            let (Some(name), Some(sql)) = (text(row, 0), text(row, 1)) else { return };
            let is_virtual = sql.to_ascii_uppercase().starts_with("CREATE VIRTUAL");
            if !is_virtual && !name.starts_with("sqlite_") {
                found.push(name);
            }
        })?;
        Ok(found)
    }

    /// The names of its tables and views, without virtual tables.
    fn relations(&self) -> rusqlite::Result<Vec<String>> {
        let mut found = self.tables()?;
        let mut left = MOST_TABLES as u64;
        let query = "SELECT name FROM sqlite_master WHERE type = 'view'";
        self.for_each_row(query, &mut left, |row| found.extend(text(row, 0)))?;
        Ok(found)
    }

    /// The names of the columns of a table.
    pub(super) fn columns(&self, table: &str) -> rusqlite::Result<Vec<String>> {
        let statement = self.connection.prepare(&all_of(table))?;
        Ok(statement.column_names().map(str::to_owned).collect())
    }

    /// Hands on the rows of a query, at most as many as are left. Says whether these were all.
    ///
    /// # Errors
    /// When the query does not fit the tables, or the file is damaged.
    pub(super) fn for_each_row(
        &self,
        query: &str,
        left: &mut u64,
        mut take: impl FnMut(&Row<'_>),
    ) -> rusqlite::Result<bool> {
        self.while_wanted(query, left, |row| {
            take(row);
            true
        })
    }

    /// The same until `take` wants no more.
    fn while_wanted(
        &self,
        query: &str,
        left: &mut u64,
        mut take: impl FnMut(&Row<'_>) -> bool,
    ) -> rusqlite::Result<bool> {
        let mut statement = self.connection.prepare(query)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if *left == 0 {
                return Ok(false);
            }
            *left -= 1;
            if !take(row) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The query for all that is in a table or view.
fn all_of(table: &str) -> String {
    format!("SELECT * FROM \"{}\"", table.replace('"', "\"\""))
}

/// What is written in a column, as a text.
pub(super) fn text(row: &Row<'_>, column: usize) -> Option<String> {
    match row.get_ref(column).ok()? {
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

/// As [`text`], where it is one, without a copy.
pub(super) fn word<'r>(row: &'r Row<'_>, column: usize) -> Option<&'r str> {
    row.get_ref(column).ok()?.as_str().ok()
}

pub(super) fn whole(row: &Row<'_>, column: usize) -> Option<i64> {
    row.get_ref(column).ok()?.as_i64().ok()
}

pub(super) fn number(row: &Row<'_>, column: usize) -> Option<f64> {
    match row.get_ref(column).ok()? {
        ValueRef::Real(number) => Some(number),
        ValueRef::Integer(number) => Some(number as f64),
        _ => None,
    }
}
