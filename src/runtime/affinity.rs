//! Which CPUs this process may use: the scheduling affinity and the CPU quota of its control groups.
//!
//! Sources: sched_getaffinity(2); the kernel's Documentation/admin-guide/cgroup-v2.rst (`cpu.max`) and
//! scheduler/sched-bwc.rst (`cpu.cfs_quota_us`, `cpu.cfs_period_us`); proc(5) for `/proc/self/cgroup` and `mountinfo`.
//! Invariant: the answer is at least 1, whatever the files say.

use std::fs;
use std::path::{Path, PathBuf};

/// How many CPUs the process may use: the size of the affinity mask, cut by the cgroup quota rounded up.
pub fn usable_cpus() -> usize {
    usable_list().len()
}

/// The CPUs that the process may use, by the system's numbers, in order: as many of the affinity mask as the cgroup
/// quota allows.
pub fn usable_list() -> Vec<usize> {
    let mut cpus = affinity_cpus().unwrap_or_else(|| vec![0]);
    if let Some(quota) = quota(Path::new("/proc/self"), Path::new("/")) {
        cpus.truncate(quota.max(1));
    }
    cpus
}

/// From now on the calling thread runs on these CPUs only. Where the system does not allow it (the process has been
/// moved to others meanwhile), it stays free.
pub fn stay_on(cpus: &[usize]) {
    let words = cpus.iter().max().map_or(1, |last| last / 64 + 1);
    let mut mask = vec![0u64; words];
    for cpu in cpus {
        mask[cpu / 64] |= 1 << (cpu % 64);
    }
    // SAFETY: the buffer is as long as the size says; 0 is the calling thread.
    unsafe { libc::syscall(libc::SYS_sched_setaffinity, 0, words * 8, mask.as_ptr()) };
}

/// CPUs in the calling thread's affinity mask. The mask is asked for in growing sizes, because the kernel refuses a
/// mask that is smaller than its own.
fn affinity_cpus() -> Option<Vec<usize>> {
    let mut words = 16;
    while words <= 1 << 14 {
        let mut mask = vec![0u64; words];
        // SAFETY: the buffer is as long as the size says, and the kernel writes no more than that.
        let written =
            unsafe { libc::syscall(libc::SYS_sched_getaffinity, 0, words * 8, mask.as_mut_ptr()) };
        if written > 0 {
            let has = |cpu: &usize| mask[cpu / 64] >> (cpu % 64) & 1 == 1;
            let cpus: Vec<usize> = (0..words * 64).filter(has).collect();
            return (!cpus.is_empty()).then_some(cpus);
        }
        words *= 4;
    }
    None
}

/// The smallest CPU quota, in CPUs rounded up, of the process's control group and all groups above it. `proc` is
/// `/proc/self`; `root` is put before every mount point, so that tests can build a file system of their own.
fn quota(proc: &Path, root: &Path) -> Option<usize> {
    let groups = fs::read_to_string(proc.join("cgroup")).ok()?;
    let mounts = fs::read_to_string(proc.join("mountinfo")).unwrap_or_default();
    let mut least = None;
    for line in groups.lines() {
        let Some((controllers, path)) = parse_group(line) else {
            continue;
        };
        let v2 = controllers.is_empty();
        if !v2 && !controllers.split(',').any(|c| c == "cpu") {
            continue;
        }
        let Some((mount, base)) = find_mount(&mounts, v2) else {
            continue;
        };
        // The mount shows the subtree below `base`; a group outside of it can't be read, the mount's top can.
        let below = path.strip_prefix(base.as_str()).unwrap_or("");
        let top = root.join(mount.trim_start_matches('/'));
        for dir in ancestors(&top, below.trim_matches('/')) {
            let here = if v2 { quota_v2(&dir) } else { quota_v1(&dir) };
            least = match (least, here) {
                (Some(a), Some(b)) => Some(std::cmp::min::<usize>(a, b)),
                (a, b) => a.or(b),
            };
        }
    }
    least
}

/// `hierarchy-id:controllers:path`
fn parse_group(line: &str) -> Option<(&str, &str)> {
    let mut parts = line.splitn(3, ':');
    let _id = parts.next()?;
    Some((parts.next()?, parts.next()?))
}

/// Mount point and root of the cgroup file system that carries the CPU controller:
/// `id parent major:minor root mount-point options [optional...] - type source super-options`
fn find_mount(mountinfo: &str, v2: bool) -> Option<(String, String)> {
    mountinfo.lines().find_map(|line| {
        let (left, right) = line.split_once(" - ")?;
        let mut left = left.split(' ').skip(3);
        let (base, mount) = (left.next()?, left.next()?);
        let mut right = right.split(' ');
        let kind = right.next()?;
        let options = right.nth(1).unwrap_or("");
        let fits = if v2 {
            kind == "cgroup2"
        } else {
            kind == "cgroup" && options.split(',').any(|o| o == "cpu")
        };
        fits.then(|| (mount.to_string(), base.trim_end_matches('/').to_string()))
    })
}

/// `top/below` and every directory between it and `top`, `top` included.
fn ancestors(top: &Path, below: &str) -> Vec<PathBuf> {
    let mut dirs = vec![top.to_path_buf()];
    let mut dir = top.to_path_buf();
    for part in below.split('/').filter(|p| !p.is_empty() && *p != "..") {
        dir.push(part);
        dirs.push(dir.clone());
    }
    dirs
}

/// `cpu.max` is `quota period` in microseconds, or `max period`.
fn quota_v2(dir: &Path) -> Option<usize> {
    let text = fs::read_to_string(dir.join("cpu.max")).ok()?;
    let mut words = text.split_whitespace();
    round_up(words.next()?, words.next()?)
}

/// `cpu.cfs_quota_us` is -1 where there is no limit.
fn quota_v1(dir: &Path) -> Option<usize> {
    let quota = fs::read_to_string(dir.join("cpu.cfs_quota_us")).ok()?;
    let period = fs::read_to_string(dir.join("cpu.cfs_period_us")).ok()?;
    round_up(quota.trim(), period.trim())
}

fn round_up(quota: &str, period: &str) -> Option<usize> {
    let (quota, period): (u64, u64) = (quota.parse().ok()?, period.parse().ok()?);
    (quota > 0 && period > 0).then(|| usize::try_from(quota.div_ceil(period)).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root directory with the given files, removed at the end.
    struct Tree(PathBuf);

    impl Tree {
        fn new(name: &str, files: &[(&str, &str)]) -> Tree {
            let root = std::env::temp_dir().join(format!("clotho-{name}-{}", std::process::id()));
            for (path, text) in files {
                let path = root.join(path);
                fs::create_dir_all(path.parent().expect("a file in a directory")).unwrap();
                fs::write(path, text).unwrap();
            }
            Tree(root)
        }

        fn quota(&self) -> Option<usize> {
            quota(&self.0.join("proc"), &self.0)
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const V2: &str = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";

    #[test]
    fn there_is_at_least_one_cpu() {
        assert!(usable_cpus() >= 1);
        assert!(affinity_cpus().is_some());
    }

    #[test]
    fn a_thread_stays_where_it_is_told() {
        let cpu = *usable_list().last().unwrap();
        let thread = std::thread::spawn(move || {
            stay_on(&[cpu]);
            affinity_cpus()
        });
        assert_eq!(thread.join().unwrap(), Some(vec![cpu]));
    }

    #[test]
    fn v2_quota_is_the_least_on_the_path_rounded_up() {
        let tree = Tree::new(
            "v2",
            &[
                ("proc/cgroup", "0::/a/b\n"),
                ("proc/mountinfo", V2),
                ("sys/fs/cgroup/a/cpu.max", "250000 100000\n"),
                ("sys/fs/cgroup/a/b/cpu.max", "max 100000\n"),
            ],
        );
        assert_eq!(tree.quota(), Some(3));
    }

    #[test]
    fn v2_namespace_shows_the_group_as_root() {
        let tree = Tree::new(
            "v2ns",
            &[
                ("proc/cgroup", "0::/\n"),
                ("proc/mountinfo", V2),
                ("sys/fs/cgroup/cpu.max", "50000 100000\n"),
            ],
        );
        assert_eq!(tree.quota(), Some(1));
    }

    #[test]
    fn v1_quota_and_no_limit() {
        let mounts =
            "33 32 0:29 /docker/x /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";
        let tree = Tree::new(
            "v1",
            &[
                ("proc/cgroup", "5:memory:/m\n4:cpu,cpuacct:/docker/x/y\n"),
                ("proc/mountinfo", mounts),
                ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"),
                ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
                ("sys/fs/cgroup/cpu,cpuacct/y/cpu.cfs_quota_us", "400000\n"),
                ("sys/fs/cgroup/cpu,cpuacct/y/cpu.cfs_period_us", "100000\n"),
            ],
        );
        assert_eq!(tree.quota(), Some(4));
    }

    #[test]
    fn nonsense_is_no_limit() {
        let tree = Tree::new(
            "bad",
            &[
                ("proc/cgroup", "garbage\n0::/a\n"),
                ("proc/mountinfo", V2),
                ("sys/fs/cgroup/a/cpu.max", "0 0\n"),
            ],
        );
        assert_eq!(tree.quota(), None);
        assert_eq!(quota(Path::new("/nonexistent"), Path::new("/")), None);
    }
}
