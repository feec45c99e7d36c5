//! What this machine is: the CPU's name and vendor, its vector width and caches, and the memory that this process may
//! use. Read once; everything has a fallback, because containers hide parts of /sys and /proc.

use super::headroom;
use std::fs;
use std::sync::OnceLock;

/// Facts of the machine. Sizes in bytes.
pub struct Machine {
    /// The CPU's name as it calls itself.
    pub cpu_name: String,
    /// The CPU vendor's name and PCI vendor id.
    pub vendor: String,
    pub vendor_id: u32,
    /// Megahertz; 0 when nothing tells.
    pub clock_mhz: u32,
    /// Bytes of the widest vector register.
    pub vector_bytes: usize,
    pub has_fma: bool,
    /// Vectors of half (AVX512-FP16).
    pub has_fp16: bool,
    /// The largest data cache, and its line.
    pub cache_size: u64,
    pub cache_line: u32,
    /// Memory that the process may use: the machine's, or its cgroup's or address space's limit.
    pub memory: u64,
}

impl Machine {
    /// Looks.
    pub fn probe() -> Machine {
        let (vendor, vendor_id) = vendor();
        let (cache_size, cache_line) = largest_cache();
        Machine {
            cpu_name: cpu_name(),
            vendor,
            vendor_id,
            clock_mhz: clock_mhz(),
            vector_bytes: vector_bytes(),
            has_fma: has_fma(),
            has_fp16: has_fp16(),
            cache_size,
            cache_line,
            memory: memory(),
        }
    }
}

/// The CPUID brand string, without the blanks that pad it.
#[cfg(target_arch = "x86_64")]
fn cpu_name() -> String {
    use std::arch::x86_64::__cpuid;
    let highest = __cpuid(0x8000_0000).eax;
    if highest < 0x8000_0004 {
        return cpuinfo("model name").unwrap_or_else(|| "x86-64 CPU".into());
    }
    let mut bytes = Vec::new();
    for leaf in 0x8000_0002..=0x8000_0004u32 {
        let part = __cpuid(leaf);
        for word in [part.eax, part.ebx, part.ecx, part.edx] {
            bytes.extend(word.to_le_bytes());
        }
    }
    bytes.retain(|&byte| byte != 0);
    let text = String::from_utf8_lossy(&bytes);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(not(target_arch = "x86_64"))]
fn cpu_name() -> String {
    cpuinfo("model name").unwrap_or_else(|| format!("{} CPU", std::env::consts::ARCH))
}

#[cfg(target_arch = "x86_64")]
fn vendor() -> (String, u32) {
    let leaf = std::arch::x86_64::__cpuid(0);
    let bytes: Vec<u8> = [leaf.ebx, leaf.edx, leaf.ecx]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let name = String::from_utf8_lossy(&bytes)
        .trim_matches('\0')
        .to_string();
    let id = match name.as_str() {
        "GenuineIntel" => 0x8086,
        "AuthenticAMD" => 0x1022,
        "CentaurHauls" => 0x1106,
        "HygonGenuine" => 0x1d94,
        "  Shanghai  " => 0x1d17,
        _ => 0,
    };
    (name.trim().to_string(), id)
}

#[cfg(not(target_arch = "x86_64"))]
fn vendor() -> (String, u32) {
    (
        cpuinfo("vendor_id").unwrap_or_else(|| std::env::consts::ARCH.into()),
        0,
    )
}

#[cfg(target_arch = "x86_64")]
fn vector_bytes() -> usize {
    if is_x86_feature_detected!("avx512f") {
        64
    } else if is_x86_feature_detected!("avx2") {
        32
    } else {
        16
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn vector_bytes() -> usize {
    16
}

#[cfg(target_arch = "x86_64")]
fn has_fma() -> bool {
    is_x86_feature_detected!("fma")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_fma() -> bool {
    cfg!(target_arch = "aarch64")
}

#[cfg(target_arch = "x86_64")]
fn has_fp16() -> bool {
    is_x86_feature_detected!("avx512fp16")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_fp16() -> bool {
    false
}

/// The highest clock that the system tells of: cpufreq's limit, else what /proc/cpuinfo shows now.
fn clock_mhz() -> u32 {
    let khz = read_number("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
    let mhz = khz.map(|khz| khz / 1000).or_else(|| {
        let text = cpuinfo("cpu MHz")?;
        text.split('.').next()?.parse().ok()
    });
    mhz.and_then(|mhz| u32::try_from(mhz).ok()).unwrap_or(0)
}

/// Bytes of the largest data cache; 0 if nobody tells.
pub fn cache_size() -> u64 {
    largest_cache().0
}

/// The largest data cache and its line, as the first who asked found them.
fn largest_cache() -> (u64, u32) {
    static FOUND: OnceLock<(u64, u32)> = OnceLock::new();
    *FOUND.get_or_init(look_for_cache)
}

fn look_for_cache() -> (u64, u32) {
    let mut best = (0, 64);
    for index in 0..16 {
        let dir = format!("/sys/devices/system/cpu/cpu0/cache/index{index}");
        let Ok(kind) = fs::read_to_string(format!("{dir}/type")) else {
            break;
        };
        if kind.trim() == "Instruction" {
            continue;
        }
        let size = fs::read_to_string(format!("{dir}/size"))
            .ok()
            .and_then(|text| parse_size(&text));
        let line = read_number(format!("{dir}/coherency_line_size"));
        if let Some(size) = size
            && size > best.0
        {
            best = (
                size,
                line.and_then(|line| u32::try_from(line).ok()).unwrap_or(64),
            );
        }
    }
    if best.0 == 0 {
        for name in [
            libc::_SC_LEVEL3_CACHE_SIZE,
            libc::_SC_LEVEL2_CACHE_SIZE,
            libc::_SC_LEVEL1_DCACHE_SIZE,
        ] {
            // SAFETY: sysconf only reads its argument.
            let size = unsafe { libc::sysconf(name) };
            if size > 0 {
                return (size as u64, best.1);
            }
        }
    }
    best
}

/// "32768K", "1M", "512": bytes.
fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let (digits, unit) = match text.chars().last()? {
        'K' => (&text[..text.len() - 1], 10),
        'M' => (&text[..text.len() - 1], 20),
        'G' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_shl(unit)
}

fn memory() -> u64 {
    // SAFETY: zero is a valid value of this plain C struct, and sysinfo fills it.
    let (ok, info) = unsafe {
        let mut info: libc::sysinfo = std::mem::zeroed();
        (libc::sysinfo(&mut info) == 0, info)
    };
    let machine = if ok {
        info.totalram * u64::from(info.mem_unit)
    } else {
        1 << 30
    };
    [headroom::cgroup_limit(), address_space_limit()]
        .into_iter()
        .flatten()
        .fold(machine, u64::min)
}

fn address_space_limit() -> Option<u64> {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is a valid rlimit to write to.
    let ok = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) == 0 };
    (ok && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

/// The number that a file consists of.
pub fn read_number(path: impl AsRef<std::path::Path>) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The first value of a key in /proc/cpuinfo.
fn cpuinfo(key: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| {
        line.split(':')
            .next()
            .is_some_and(|name| name.trim() == key)
    })?;
    Some(line.split_once(':')?.1.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("32768K\n"), Some(32 << 20));
        assert_eq!(parse_size("64"), Some(64));
        assert_eq!(parse_size("x"), None);
    }

    #[test]
    fn the_machine_has_a_name_and_memory() {
        let machine = Machine::probe();
        assert!(!machine.cpu_name.is_empty() && machine.cpu_name.trim() == machine.cpu_name);
        assert!(machine.memory >= 1 << 26);
        assert!(machine.cache_line >= 16);
    }
}
