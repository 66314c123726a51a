//! Has a small program linked, where the linker is the one that Rust brings (docs/decisions/020-the-release-build.md).
//!
//! A profile cannot say this, and flags for all programs of a workspace would be for tests, too. Nothing is asked of a linker that
//! somebody chose, or that an older Rust or another system uses: then the program is larger, and the same otherwise.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target for which Rust links with a linker of its own, since 1.90.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The C library that starts programs with packed relocations.
const PACKED_SINCE: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=release.ld");
    if !is("PROFILE", "release") || !is("TARGET", TARGET) || !has_own_linker() {
        return;
    }
    // Functions with the same code stand there once, and so do constants with the same value.
    link("--icf=all,--ignore-data-address-equality");
    // A panic ends the program: nothing reads the tables for unwinding.
    let manifest =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder of the crate"));
    link(&format!("-T,{}", manifest.join("release.ld").display()));
    // A program that is built elsewhere may be for an older system than this one.
    if is("HOST", TARGET) && c_library().is_some_and(|version| version >= PACKED_SINCE) {
        link("-z,pack-relative-relocs");
    }
}

fn is(name: &str, value: &str) -> bool {
    env::var_os(name).is_some_and(|set| set == value)
}

fn link(option: &str) {
    println!("cargo::rustc-link-arg-bins=-Wl,{option}");
}

/// Whether Rust links with the linker that it brings, and nobody chose another.
fn has_own_linker() -> bool {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    if env::var_os("RUSTC_LINKER").is_some() || flags.contains("linker") || flags.contains("fuse-ld") {
        return false;
    }
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = said(&rustc, &["--version"]).and_then(|text| numbers(text.split(' ').nth(1)?));
    let sysroot = said(&rustc, &["--print", "sysroot"]);
    version.is_some_and(|version| version >= (1, 90))
        && sysroot.is_some_and(|root| {
            Path::new(root.trim()).join("lib/rustlib").join(TARGET).join("bin/gcc-ld/ld.lld").exists()
        })
}

/// The version of this machine's C library, if it is that of GNU.
fn c_library() -> Option<(u32, u32)> {
    numbers(said("getconf", &["GNU_LIBC_VERSION"])?.trim().strip_prefix("glibc ")?)
}

fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// The first two numbers of a version.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}
