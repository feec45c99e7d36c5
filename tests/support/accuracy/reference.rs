//! The reference in C, compiled with the machine's compiler and loaded into the test.

use super::functions::Function;
use super::kernels::{Batch, Precision, Results};
use std::ffi::{CStr, CString, c_char, c_int, c_long, c_void};
use std::path::Path;
use std::sync::OnceLock;

/// The worst of many results. `ulp` is infinite for a wrong special value.
#[derive(Clone, Debug, Default)]
pub struct Worst {
    pub ulp: f64,
    pub failures: u64,
    /// The call and its result, for a message.
    pub example: String,
}

impl Worst {
    pub fn join(&mut self, other: Worst) {
        self.failures += other.failures;
        if self.example.is_empty() || other.ulp > self.ulp {
            self.ulp = other.ulp;
            self.example = other.example;
        }
    }
}

/// `struct worst` of reference.c
#[repr(C)]
struct Found {
    ulp: f64,
    index: c_long,
    failures: c_long,
}

type Measure = unsafe extern "C" fn(
    name: *const c_char,
    n: c_long,
    x: *const c_void,
    y: *const c_void,
    k: *const c_int,
    got: *const c_void,
    second: *const c_void,
    number: *const c_int,
    bound: f64,
    worst: *mut Found,
) -> c_int;

pub struct Reference {
    single: Measure,
    double: Measure,
    half: Measure,
}

impl Reference {
    /// The one reference of the process: tests run at the same time, and two compilations must not share a file.
    pub fn get() -> &'static Self {
        static REFERENCE: OnceLock<Reference> = OnceLock::new();
        REFERENCE.get_or_init(Self::load)
    }

    fn load() -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accuracy/reference.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("accuracy-reference-{}.so", std::process::id()));
        let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let compiler = cc::Build::new()
            .target(&host)
            .host(&host)
            .opt_level(2)
            .cargo_metadata(false)
            .get_compiler();
        let status = compiler
            .to_command()
            .args(["-shared", "-fPIC", "-o"])
            .arg(&library)
            .arg(&source)
            .args(["-lquadmath", "-lm"])
            .status();
        assert!(
            status.is_ok_and(|s| s.success()),
            "the reference does not compile"
        );
        let path = CString::new(library.as_os_str().as_encoded_bytes()).expect("no NUL in a path");
        // SAFETY: the path ends in NUL; the library is ours and has no initialisers.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        let _ = std::fs::remove_file(&library);
        assert!(!handle.is_null(), "the reference does not load");
        Self {
            single: symbol(handle, c"measure_f"),
            double: symbol(handle, c"measure_d"),
            half: symbol(handle, c"measure_h"),
        }
    }

    pub fn measure(
        &self,
        function: &Function,
        precision: Precision,
        batch: &Batch,
        results: &Results,
    ) -> Worst {
        let measure = match precision {
            Precision::Single => self.single,
            Precision::Double => self.double,
            Precision::Half => self.half,
        };
        let name = CString::new(function.exact_name()).expect("no NUL in a name");
        let mut found = Found {
            ulp: 0.0,
            index: 0,
            failures: 0,
        };
        // SAFETY: every column holds as many elements of the precision as `x`; `found` has the layout of the C side.
        let known = unsafe {
            measure(
                name.as_ptr(),
                batch.x.len() as c_long,
                batch.x.as_ptr(),
                batch.y.as_ptr(),
                batch.k.as_ptr(),
                results.value.as_ptr(),
                results.second.as_ptr(),
                results.number.as_ptr(),
                function.bound(precision).expect("it was built"),
                &mut found,
            )
        };
        assert!(known != 0, "the reference has no {name:?}");
        let Ok(n) = usize::try_from(found.index) else {
            return Worst::default();
        };
        Worst {
            ulp: found.ulp,
            failures: found.failures as u64,
            example: format!(
                "x = {:e} y = {:e} k = {} gives {:e}, {:e}, {}",
                batch.x.get(n),
                batch.y.get(n),
                batch.k[n],
                results.value.get(n),
                results.second.get(n),
                results.number[n]
            ),
        }
    }
}

fn symbol(handle: *mut c_void, name: &CStr) -> Measure {
    // SAFETY: the handle is open; the name ends in NUL.
    let address = unsafe { libc::dlsym(handle, name.as_ptr()) };
    assert!(!address.is_null(), "the reference has no {name:?}");
    // SAFETY: all three functions of reference.c have this signature.
    unsafe { std::mem::transmute::<*mut c_void, Measure>(address) }
}
