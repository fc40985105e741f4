//! Writers that do not come to their end, and several at once.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::{DRAWN, Desk, FORMATS, names};
use crate::command::within_10_seconds;
use crate::manifest;

const READY: &str = ".reportgen.ready";
/// Often enough to meet a writer in the middle of everything that it does.
const KILLS: u32 = 40;
const ROUNDS: u32 = 12;

#[test]
fn a_limit_of_file_sizes_ends_with_4_and_leaves_the_old_set() {
    let desk = Desk::drawn();
    let before = desk.set();
    desk.score(0.4);
    for blocks in [0, 1, 4, 16] {
        let ended = desk.after(&format!("ulimit -f {blocks}"), "out", &["--format", FORMATS]);
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(4), "{blocks}: {ended:?}");
        assert!(told.contains("cannot write") && told.contains("ulimit"), "{told}");
        assert_eq!(desk.set(), before, "{blocks}");
    }
    let ended = desk.after("ulimit -f 1", "new/place/report.html", &[]);
    assert_eq!(ended.status.code(), Some(4), "{ended:?}");
    assert_eq!(desk.names(""), ["a", "b", "out"], "directories made for nothing are gone");
}

#[test]
fn standard_output_in_a_file_that_may_not_grow_ends_with_4() {
    let desk = Desk::new();
    let to = desk.0.word("printed");
    let ended = desk.after(&format!("ulimit -f 1; exec >'{to}'"), "-", &["--format", "html"]);
    assert_eq!(ended.status.code(), Some(4), "{ended:?}");
}

#[test]
fn a_full_device_ends_with_4() {
    let ended = within_10_seconds(Desk::new().program("/dev/full", &[]));
    if !Path::new("/dev/full").exists() {
        println!("not tested: there is no /dev/full here");
        return;
    }
    assert_eq!(ended.status.code(), Some(4), "{ended:?}");
    assert!(String::from_utf8_lossy(&ended.stderr).contains("no space left"), "{ended:?}");
}

/// A small file system, as long as it lives.
struct Disk<'a>(&'a Path);

impl<'a> Disk<'a> {
    /// `None` where this user may mount none.
    fn mounted(at: &'a Path) -> Option<Self> {
        fs::create_dir(at).expect("made");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=160k", "none"]).arg(at).stderr(Stdio::null());
        mount.status().is_ok_and(|mounted| mounted.success()).then_some(Self(at))
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _left_to_the_system = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_ends_with_4_and_leaves_the_old_set() {
    let desk = Desk::new();
    let out = desk.0.path("out");
    let Some(_disk) = Disk::mounted(&out) else {
        println!("not tested: this user may mount no file system");
        return;
    };
    let draw = || desk.compare("out", &["--format", FORMATS]);
    let set = || DRAWN.map(|name| fs::read(out.join(name)).expect("there"));
    assert_eq!(draw().status, 0);
    let mut failed = 0;
    // Less and less is left, so that each file is once the one that does not fit.
    for number in 0..40 {
        let _full = fs::write(out.join(format!("filler-{number}")), [b'x'; 4096]);
        let before = set();
        desk.score(if number % 2 == 0 { 0.4 } else { 0.625 });
        let ended = draw();
        let names = names(&out).into_iter().filter(|name| !name.starts_with("filler"));
        assert_eq!(names.collect::<Vec<_>>(), DRAWN);
        if ended.status != 0 {
            assert!(ended.status == 4 && ended.err.contains("no space left"), "{ended:?}");
            assert_eq!(set(), before);
            failed += 1;
        }
        assert_eq!(manifest::torn(&out), [""; 0]);
    }
    assert!(failed > 0, "the disk was never full");
}

#[test]
fn who_is_killed_leaves_the_old_set_or_the_new_one_or_one_that_the_next_finishes() {
    let desk = Desk::drawn();
    let out = desk.0.path("out");
    let further = ["--format", FORMATS];
    let mut unfinished = 0;
    for number in 0..KILLS {
        desk.score(if number % 2 == 0 { 0.4 } else { 0.625 });
        let mut program = desk.program("out", &further);
        let mut child =
            program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
        // Half of them at any time, the others once they have begun to write.
        if number % 2 == 0 {
            thread::sleep(Duration::from_millis(u64::from(number) * 2));
        } else {
            let is_writing = || names(&out).iter().any(|name| name.starts_with(".reportgen-"));
            while !is_writing() && child.try_wait().expect("asked").is_none() {}
            thread::sleep(Duration::from_micros(u64::from(number) * 25));
        }
        let _ended_before = child.kill();
        child.wait().expect("ended");
        if out.join(READY).exists() {
            unfinished += 1;
        } else {
            assert_eq!(manifest::torn(&out), [""; 0], "kill {number}: {:?}", names(&out));
        }
    }
    println!("{unfinished} of {KILLS} left a set to finish");
    assert_eq!(within_10_seconds(desk.program("out", &further)).status.code(), Some(0));
    desk.set();
}

#[test]
fn who_is_asked_to_end_leaves_nothing_beside_the_old_set_or_the_new_one() {
    let mut ended_by_it = 0;
    for (number, signal) in (0..KILLS / 2).zip(["TERM", "INT", "HUP"].into_iter().cycle()) {
        let desk = Desk::drawn();
        let out = desk.0.path("out");
        desk.score(0.4);
        let mut program = desk.program("out", &["--format", FORMATS]);
        let mut child =
            program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
        let is_writing = || names(&out).iter().any(|name| name.starts_with(".reportgen"));
        while !is_writing() && child.try_wait().expect("asked").is_none() {}
        thread::sleep(Duration::from_micros(u64::from(number) * 50));
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        ended_by_it += u32::from(child.wait().expect("ended").signal().is_some());
        assert!(sent.is_ok());
        assert_eq!(names(&out), DRAWN, "{signal} {number}");
        assert_eq!(manifest::torn(&out), [""; 0]);
    }
    assert!(ended_by_it > 0, "no signal came in time");
}

#[test]
fn a_signal_that_whoever_started_it_ignores_stays_ignored() {
    let desk = Desk::drawn();
    let out = desk.0.path("out");
    desk.0.write("out/.reportgen.lock", "");
    let held = fs::File::open(out.join(".reportgen.lock")).expect("there");
    held.lock().expect("locked");
    let [a, b] = ["a", "b"].map(|run| desk.0.word(run));
    let mut shell = Command::new("sh");
    let line = "trap '' INT; exec \"$0\" compare \"$1\" \"$2\" --format md,json -o \"$3\"";
    shell.args(["-c", line, env!("CARGO_BIN_EXE_reportgen"), &a, &b]).arg(&out);
    let mut child = shell.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
    let send = |signal: &str| {
        thread::sleep(Duration::from_millis(600));
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(sent.expect("sent").success());
    };
    send("INT");
    send("TERM");
    // Who waits for another writer is ended at once.
    let ended = child.wait().expect("ended");
    assert_eq!(ended.signal(), Some(15));
}

#[test]
fn a_set_that_was_ready_is_finished_before_one_of_its_files_is_written_alone() {
    for target in ["out", "out/report.md"] {
        let [desk, other] = [Desk::drawn(), Desk::drawn()];
        desk.score(0.4);
        assert_eq!(desk.compare("out", &["--format", FORMATS]).status, 0);
        // As if the writer had been killed when one file was in its place.
        let new = other.0.path("out").join(READY).join("new");
        fs::create_dir_all(&new).expect("made");
        for name in DRAWN {
            fs::copy(desk.0.path("out").join(name), new.join(name)).expect("copied");
        }
        fs::rename(new.join("report.md"), other.0.path("out/report.md")).expect("placed");
        let ready = other.0.path("out").join(READY);
        let there = fs::metadata(&ready).expect("there");
        let made_here = format!("{}:{}", there.dev(), there.ino());
        fs::write(ready.join("made-here"), made_here).expect("written");
        assert_eq!(other.compare(target, &["--format", "md"]).status, 0);
        assert_eq!(other.names("out"), DRAWN);
        assert_eq!(other.0.read("out/report.json"), desk.0.read("out/report.json"));
        assert_ne!(other.0.read("out/report.md"), desk.0.read("out/report.md"));
        let out = other.0.path("out");
        assert_eq!(manifest::listed(&out), Some(vec!["report.md".to_owned()]));
        assert_eq!(manifest::torn(&out), [""; 0]);
    }
}

#[test]
fn a_file_written_alone_has_no_manifest() {
    let desk = Desk::new();
    for target in ["out", "out", "single.json"] {
        assert_eq!(desk.compare(target, &[]).status, 0);
    }
    assert_eq!(
        (desk.names("out"), desk.names("")),
        (
            vec!["report.md".to_owned()],
            ["a", "b", "out", "single.json"].map(str::to_owned).to_vec(),
        )
    );
}

#[test]
fn of_two_writers_each_reader_sees_whole_files_and_in_the_end_one_set() {
    let [desk, other] = [Desk::drawn(), Desk::new()];
    other.score(0.4);
    let out = desk.0.path("out");
    let is_over = AtomicBool::new(false);
    let write = |from: &Desk| {
        let [a, b] = ["a", "b"].map(|run| from.0.word(run));
        for _ in 0..ROUNDS {
            let mut program = crate::command::program();
            program.args(["compare", &a, &b, "--format", FORMATS, "-o"]).arg(&out);
            let ended = within_10_seconds(program);
            assert_eq!(ended.status.code(), Some(0), "{ended:?}");
        }
    };
    let read = || {
        let mut seen = 0_u32;
        while !is_over.load(Ordering::Relaxed) {
            let text = fs::read_to_string(out.join("report.json")).expect("there at any time");
            let report: serde_json::Value = serde_json::from_str(&text).expect("whole");
            assert_eq!(report["kind"], "compare");
            assert!(manifest::listed(&out).is_some());
            let text = fs::read_to_string(out.join("report.md")).expect("there at any time");
            assert!(text.ends_with(" -->\n"), "half a document: {text}");
            seen += 1;
        }
        seen
    };
    thread::scope(|scope| {
        let reader = scope.spawn(read);
        let writers = [&desk, &other].map(|from| scope.spawn(move || write(from)));
        let ended = writers.map(thread::ScopedJoinHandle::join);
        is_over.store(true, Ordering::Relaxed);
        assert!(ended.iter().all(Result::is_ok));
        assert!(reader.join().expect("every file was whole") > 0);
    });
    desk.set();
}
