#![doc = include_str!("../README.md")]
//!
//! The work given to [`Cpu::run`] is compiled with the instructions of the level, as is all code that is inlined there.
//! What is not inlined is compiled for the baseline, in silence: closures passed on need `#[inline(always)]`, functions
//! passed by name are called through a shim of the baseline, and a function too large to inline has to be generic over
//! the level itself. See "Levels of processors" in docs/architecture.md.

pub mod bits;

use std::env;
use std::fmt;
use std::sync::OnceLock;

/// A level of processors.
pub trait Cpu: Copy + fmt::Debug + Send + Sync + 'static {
    /// Which one, for code that has loops of its own for each.
    const KIND: Kind;

    /// Does some work with the instructions of this level.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;

    /// As [`Cpu::run`], where the compiler should not inline the work.
    fn run_apart<R>(self, work: impl FnOnce() -> R) -> R;

    /// As [`Cpu::run`], with arguments in registers where a closure would put what it captures into memory.
    fn call<A, B, C, D, R>(self, work: impl FnOnce(A, B, C, D) -> R, a: A, b: B, c: C, d: D) -> R;
}

/// The levels, whether this processor has them or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// See [`Baseline`].
    Baseline,
    /// x86-64-v2.
    V2,
    /// x86-64-v3.
    V3,
    /// x86-64-v4.
    V4,
    /// x86-64-v4 with VNNI, in the network alone.
    Vnni,
}

/// What every processor has for which the program is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Cpu for Baseline {
    const KIND: Kind = Kind::Baseline;

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(never)]
    fn run_apart<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn call<A, B, C, D, R>(self, work: impl FnOnce(A, B, C, D) -> R, a: A, b: B, c: C, d: D) -> R {
        work(a, b, c, d)
    }
}

/// Work that is compiled for each level.
pub trait OnCpu {
    /// Its result.
    type Output;

    /// The work on one level.
    fn on<C: Cpu>(self, cpu: C) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Cpu, Feature, Kind};

    macro_rules! level {
        ($(#[$doc:meta])* $name:ident $kind:ident: $($feature:tt)+) => {
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name(());

            impl $name {
                /// What it takes.
                pub(super) const FEATURES: &[Feature] =
                    &[$(($feature, || is_x86_feature_detected!($feature))),+];

                /// None where the processor lacks an instruction.
                pub fn new() -> Option<$name> {
                    $name::FEATURES.iter().all(|(_, is_there)| is_there()).then_some($name(()))
                }
            }

            impl Cpu for $name {
                const KIND: Kind = Kind::$kind;

                #[inline(always)]
                #[expect(unsafe_code, reason = "instructions of this level")]
                fn run<R>(self, work: impl FnOnce() -> R) -> R {
                    $(#[target_feature(enable = $feature)])+
                    fn with<R>(work: impl FnOnce() -> R) -> R {
                        work()
                    }
                    // SAFETY: there is a value of this type only where the processor has these instructions.
                    unsafe { with(work) }
                }

                #[inline(always)]
                #[expect(unsafe_code, reason = "instructions of this level")]
                fn run_apart<R>(self, work: impl FnOnce() -> R) -> R {
                    #[inline(never)]
                    $(#[target_feature(enable = $feature)])+
                    fn with<R>(work: impl FnOnce() -> R) -> R {
                        work()
                    }
                    // SAFETY: there is a value of this type only where the processor has these instructions.
                    unsafe { with(work) }
                }

                #[inline(always)]
                #[expect(unsafe_code, reason = "instructions of this level")]
                fn call<A, B, C, D, R>(self, work: impl FnOnce(A, B, C, D) -> R, a: A, b: B, c: C, d: D) -> R {
                    $(#[target_feature(enable = $feature)])+
                    fn with<A, B, C, D, R>(work: impl FnOnce(A, B, C, D) -> R, a: A, b: B, c: C, d: D) -> R {
                        work(a, b, c, d)
                    }
                    // SAFETY: there is a value of this type only where the processor has these instructions.
                    unsafe { with(work, a, b, c, d) }
                }
            }
        };
    }

    level! {
        /// SSE4.2 and POPCNT, since about 2009.
        V2 V2: "sse4.2" "popcnt"
    }

    level! {
        /// AVX2 and BMI, since about 2013.
        V3 V3: "sse4.2" "popcnt" "avx2" "bmi1" "bmi2" "lzcnt"
    }

    level! {
        /// AVX-512, since about 2017.
        V4 V4: "sse4.2" "popcnt" "avx2" "bmi1" "bmi2" "lzcnt" "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"
    }

    level! {
        /// AVX-512 with VNNI, since about 2019. Only loops of the network differ from [`V4`].
        Vnni Vnni: "sse4.2" "popcnt" "avx2" "bmi1" "bmi2" "lzcnt" "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"
            "avx512vnni"
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{V2, V3, V4, Vnni};

/// A level that this processor has.
#[derive(Clone, Copy, Debug)]
pub enum CpuLevel {
    /// The only one of processors other than x86-64.
    #[cfg(not(target_arch = "x86_64"))]
    Baseline(Baseline),
    /// x86-64-v2.
    #[cfg(target_arch = "x86_64")]
    V2(V2),
    /// x86-64-v3.
    #[cfg(target_arch = "x86_64")]
    V3(V3),
    /// x86-64-v4.
    #[cfg(target_arch = "x86_64")]
    V4(V4),
}

impl CpuLevel {
    /// The name that the variable [`VARIABLE`] may have.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(not(target_arch = "x86_64"))]
            CpuLevel::Baseline(_) => BASELINE,
            #[cfg(target_arch = "x86_64")]
            CpuLevel::V2(_) => "v2",
            #[cfg(target_arch = "x86_64")]
            CpuLevel::V3(_) => "v3",
            #[cfg(target_arch = "x86_64")]
            CpuLevel::V4(_) => "v4",
        }
    }

    /// Whether the network is computed with VNNI; none where the level has no loops for it.
    pub fn has_vnni(self) -> Option<bool> {
        match self {
            #[cfg(target_arch = "x86_64")]
            CpuLevel::V4(_) => Some(Vnni::new().is_some()),
            _ => None,
        }
    }

    /// Does work on this level.
    pub fn run<T: OnCpu>(self, work: T) -> T::Output {
        match self {
            #[cfg(not(target_arch = "x86_64"))]
            CpuLevel::Baseline(cpu) => work.on(cpu),
            #[cfg(target_arch = "x86_64")]
            CpuLevel::V2(cpu) => work.on(cpu),
            #[cfg(target_arch = "x86_64")]
            CpuLevel::V3(cpu) => work.on(cpu),
            #[cfg(target_arch = "x86_64")]
            CpuLevel::V4(cpu) => work.on(cpu),
        }
    }

    /// All that this processor has, the best last.
    pub fn all() -> Vec<CpuLevel> {
        CANDIDATES
            .iter()
            .filter_map(|candidate| (candidate.level)())
            .collect()
    }
}

/// The environment variable that chooses a level.
pub const VARIABLE: &str = "DAMIER_CPU";

#[cfg(not(target_arch = "x86_64"))]
const BASELINE: &str = if cfg!(target_arch = "aarch64") {
    "neon"
} else {
    "portable"
};

/// The name of some instructions, and whether the processor has them.
pub type Feature = (&'static str, fn() -> bool);

/// A level that the program is compiled for.
pub struct Candidate {
    /// As [`CpuLevel::name`].
    pub name: &'static str,
    /// Its instructions in a few words.
    pub about: &'static str,
    /// The instructions, and whether the processor has them.
    pub features: &'static [Feature],
    /// The level, if the processor has it.
    level: fn() -> Option<CpuLevel>,
}

impl Candidate {
    /// What the processor lacks for it.
    pub fn lacking(&self) -> Vec<&'static str> {
        let lacking = self.features.iter().filter(|(_, is_there)| !is_there());
        lacking.map(|(name, _)| *name).collect()
    }
}

/// The levels that the program is compiled for, the best last.
#[cfg(target_arch = "x86_64")]
pub const CANDIDATES: &[Candidate] = &[
    Candidate {
        name: "v2",
        about: "x86-64-v2, since about 2009: SSE4.2, POPCNT",
        features: V2::FEATURES,
        level: || V2::new().map(CpuLevel::V2),
    },
    Candidate {
        name: "v3",
        about: "x86-64-v3, since about 2013: AVX2, BMI",
        features: V3::FEATURES,
        level: || V3::new().map(CpuLevel::V3),
    },
    Candidate {
        name: "v4",
        about: "x86-64-v4, since about 2017: AVX-512; VNNI where the processor has it",
        features: V4::FEATURES,
        level: || V4::new().map(CpuLevel::V4),
    },
];

/// The levels that the program is compiled for.
#[cfg(not(target_arch = "x86_64"))]
pub const CANDIDATES: &[Candidate] = &[Candidate {
    name: BASELINE,
    about: "all that it is compiled for",
    features: &[],
    level: || Some(CpuLevel::Baseline(Baseline)),
}];

/// Why there is no level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CpuError {
    /// [`VARIABLE`] has a value that is none.
    Unknown(String),
    /// The processor lacks instructions of the level that [`VARIABLE`] asks for.
    Lacking(&'static str, Vec<&'static str>),
    /// The processor lacks instructions of all levels.
    Old(Vec<&'static str>),
}

impl fmt::Display for CpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CpuError::Unknown(value) => {
                let names: Vec<&str> = CANDIDATES.iter().map(|candidate| candidate.name).collect();
                write!(
                    f,
                    "{VARIABLE}={:?}: expected {}",
                    value.chars().take(40).collect::<String>(),
                    names.join(", ")
                )
            }
            CpuError::Lacking(name, features) => {
                write!(
                    f,
                    "{VARIABLE}={name}: this processor lacks {}",
                    features.join(", ")
                )
            }
            CpuError::Old(features) => {
                write!(
                    f,
                    "this processor is too old: it lacks {}",
                    features.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for CpuError {}

/// The level for this process: the one that the variable [`VARIABLE`] names, or the best that the processor has. Chosen
/// by the first call.
///
/// # Errors
/// The processor lacks it.
pub fn level() -> Result<CpuLevel, CpuError> {
    static LEVEL: OnceLock<Result<CpuLevel, CpuError>> = OnceLock::new();
    LEVEL
        .get_or_init(|| {
            choose(
                env::var_os(VARIABLE)
                    .map(|name| name.to_string_lossy().into_owned())
                    .as_deref(),
            )
        })
        .clone()
}

/// Does work that calls nothing but what is inlined, such as a loop over numbers, with the instructions of this
/// process's level.
#[inline(always)]
pub fn run<R>(work: impl FnOnce() -> R) -> R {
    struct Work<F>(F);

    impl<R, F: FnOnce() -> R> OnCpu for Work<F> {
        type Output = R;

        #[inline(always)]
        fn on<C: Cpu>(self, cpu: C) -> R {
            cpu.run(self.0)
        }
    }

    match level() {
        Ok(level) => level.run(Work(work)),
        Err(_) => work(),
    }
}

/// Whether the variable [`VARIABLE`] chooses the level.
pub fn is_asked_for() -> bool {
    env::var_os(VARIABLE).is_some_and(|name| !name.is_empty())
}

fn choose(wanted: Option<&str>) -> Result<CpuLevel, CpuError> {
    let Some(wanted) = wanted.filter(|name| !name.is_empty()) else {
        return CpuLevel::all()
            .pop()
            .ok_or_else(|| CpuError::Old(CANDIDATES[0].lacking()));
    };
    let candidate = CANDIDATES.iter().find(|candidate| candidate.name == wanted);
    let candidate = candidate.ok_or_else(|| CpuError::Unknown(wanted.to_owned()))?;
    (candidate.level)().ok_or_else(|| CpuError::Lacking(candidate.name, candidate.lacking()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_chosen_by_name_or_is_the_best() {
        let all = CpuLevel::all();
        for level in &all {
            assert_eq!(
                choose(Some(level.name())).map(CpuLevel::name),
                Ok(level.name())
            );
        }
        let best = all.last().map(|level| level.name());
        assert_eq!(choose(None).ok().map(CpuLevel::name), best);
        assert_eq!(choose(Some("")).ok().map(CpuLevel::name), best);
        let error = choose(Some("v5")).map(CpuLevel::name).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("DAMIER_CPU=\"v5\": expected "),
            "{error}"
        );
        for candidate in CANDIDATES
            .iter()
            .filter(|candidate| !candidate.lacking().is_empty())
        {
            let error = choose(Some(candidate.name))
                .map(CpuLevel::name)
                .unwrap_err();
            assert!(matches!(error, CpuError::Lacking(..)), "{error}");
        }
    }

    struct Count(u64);

    impl OnCpu for Count {
        type Output = [u32; 4];

        fn on<C: Cpu>(self, cpu: C) -> [u32; 4] {
            let count = |a: u64, b: u64, c: u64, d: u64| [a, b, c, d].map(u64::count_ones);
            let bits = self.0;
            assert_eq!(
                cpu.call(count, bits, bits, bits, bits),
                cpu.run(|| [bits.count_ones(); 4])
            );
            cpu.run(|| [bits.count_ones(); 4])
        }
    }

    #[test]
    fn work_has_the_same_result_on_every_level() {
        for level in CpuLevel::all() {
            assert_eq!(level.run(Count(0xF0F1)), [9; 4], "{level:?}");
        }
        assert_eq!(run(|| 0xF0F1_u64.count_ones()), 9);
    }
}
