//! How much memory there is for this process.

use std::fs;
use std::path::Path;

/// Bytes of memory that this process may use: those of the machine, or of the container or job
/// (control groups 1 and 2) that it runs in, where those are fewer. `None` where nothing says.
pub fn available() -> Option<u64> {
    let machine = machine(&fs::read_to_string("/proc/meminfo").ok()?);
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = group_files(&groups).filter_map(|file| fs::read_to_string(file).ok());
    // `max` is none; version 1 writes a number beyond any memory.
    let limits = limits.filter_map(|text| text.trim().parse().ok());
    machine.into_iter().chain(limits).min()
}

/// `MemTotal:       24689764 kB`
fn machine(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1_024)
}

/// Files with the limits of the groups of a process and of those above, by lines as `0::/job` (version 2)
/// and `9:memory:/job` (version 1).
fn group_files(groups: &str) -> impl Iterator<Item = std::path::PathBuf> {
    groups.lines().flat_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, group) =
            (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (root, name) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|one| one == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => ("", ""),
        };
        let inside = Path::new(group.trim_start_matches('/')).to_owned();
        let above = inside.ancestors().map(|path| Path::new(root).join(path).join(name));
        let above: Vec<_> = if root.is_empty() { Vec::new() } else { above.collect() };
        above
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_a_machine_is_the_total() {
        let text = "MemTotal:       24689764 kB\nMemFree:         1025316 kB\n";
        assert_eq!(machine(text), Some(25_282_318_336));
        assert_eq!(machine("MemFree: 1 kB\n"), None);
    }

    #[cfg(unix)] // Paths with slashes.
    #[test]
    fn limits_are_looked_for_in_a_group_and_those_above() {
        let check = |groups: &str, expected: &[&str]| {
            let files: Vec<_> =
                group_files(groups).map(|path| path.display().to_string()).collect();
            assert_eq!(files, expected);
        };
        let slurm = "0::/system.slice/job_7\n";
        check(
            slurm,
            &[
                "/sys/fs/cgroup/system.slice/job_7/memory.max",
                "/sys/fs/cgroup/system.slice/memory.max",
                "/sys/fs/cgroup/memory.max",
            ],
        );
        let docker = "12:cpu,cpuacct:/docker/f\n9:memory:/docker/f\n";
        check(
            docker,
            &[
                "/sys/fs/cgroup/memory/docker/f/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            ],
        );
        check("0::/\n", &["/sys/fs/cgroup/memory.max"]);
        check("", &[]);
    }
}
