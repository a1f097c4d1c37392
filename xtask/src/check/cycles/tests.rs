use super::*;

fn found(files: &[(&str, &str)]) -> Vec<String> {
    let read = |path: &str| files.iter().find(|(file, _)| *file == path).map(|(_, text)| (*text).to_owned());
    check_crate("src/lib.rs", &read).unwrap_or_else(|reasons| reasons)
}

/// The cycles between two files in the same folder.
fn pair(a: &str, b: &str) -> Vec<String> {
    found(&[("src/lib.rs", "mod a; mod b;"), ("src/a.rs", a), ("src/b.rs", b)])
}

const CIRCLE: &str = "2 files use each other in a circle:\n    src/a.rs -> src/b.rs: B\n    src/b.rs -> src/a.rs: A";

#[test]
fn a_circle_is_told_with_what_ties_it() {
    assert_eq!(pair("use crate::b::B; pub struct A(B);", "use super::a::A; pub struct B(Box<A>);"), [CIRCLE]);
    assert_eq!(pair("use crate::b::B; pub struct A(B);", "pub struct B;"), Vec::<String>::new());
}

#[test]
fn every_way_to_name_an_item_is_seen() {
    let b = "pub struct B; fn b() -> super::a::A {}";
    assert_eq!(pair("pub struct A(crate::b::B);", b), [CIRCLE]);
    assert_eq!(pair("use super::b; pub struct A(b::B);", b), [CIRCLE]);
    assert_eq!(pair("use crate::b::*; pub struct A(B);", b), [CIRCLE]);
    assert_eq!(pair("use crate::b::{self as other}; pub struct A(other::B);", b), [CIRCLE]);
    assert_eq!(pair("pub struct A; fn a() { use crate::b::B; }", b), [CIRCLE]);
    assert_eq!(pair("pub struct A; fn a() { assert!(crate::b::B::is(1)); }", b), [CIRCLE]);
    assert_eq!(pair("#[serde(with = \"crate::b::B\")] pub struct A;", b), [CIRCLE]);
    assert_eq!(pair("pub struct A; impl Iterator for crate::b::B {}", b), [CIRCLE]);
    assert_eq!(pair("pub struct A; mod inner { fn a() -> crate::b::B {} }", b), [CIRCLE]);
}

#[test]
fn a_map_is_no_part_of_a_circle_and_hides_none() {
    let map = "mod a; mod b; pub use a::A; pub(crate) use b::B;";
    let a = "use crate::B; pub struct A(B);";
    let b = "pub struct B;";
    assert_eq!(found(&[("src/lib.rs", map), ("src/a.rs", a), ("src/b.rs", b)]), Vec::<String>::new());
    let back = "use super::*; pub struct B(Box<A>);";
    assert_eq!(found(&[("src/lib.rs", map), ("src/a.rs", a), ("src/b.rs", back)]), [CIRCLE]);
    // A file that re-exports and also uses items below it is not transparent.
    let user = "mod a; pub struct Top(a::A);";
    let circle = found(&[("src/lib.rs", user), ("src/a.rs", "pub struct A; fn a() -> crate::Top {}")]);
    assert_eq!(circle.len(), 1, "{circle:?}");
}

#[test]
fn circles_are_told_one_by_one_and_whole() {
    let lib = "mod a; mod b; mod c; mod d; mod e;";
    let files = [
        ("src/lib.rs", lib),
        ("src/a.rs", "pub struct It(super::b::It);"),
        ("src/b.rs", "pub struct It(super::c::It);"),
        ("src/c.rs", "pub struct It(Box<super::a::It>, super::d::It);"),
        ("src/d/mod.rs", "pub mod inner; pub struct It(inner::It);"),
        ("src/d/inner.rs", "pub struct It(Box<super::It>);"),
        ("src/e.rs", "pub struct It(super::a::It);"),
    ];
    let found = found(&files);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("3 files"), "{found:?}");
    assert!(found[1].contains("src/d/inner.rs -> src/d/mod.rs: It"), "{found:?}");
}

#[test]
fn tests_are_left_out() {
    let b = "pub struct B; #[cfg(test)] mod tests; #[cfg(test)] use super::a::A; #[cfg(all(test, unix))] fn b() -> crate::a::A {}";
    assert_eq!(pair("pub struct A(crate::b::B);", b), Vec::<String>::new());
    // Items for the tests of another crate are compiled without the tests of this crate.
    let testing = "pub struct B; #[cfg(any(test, feature = \"testing\"))] fn b() -> crate::a::A {}";
    assert_eq!(pair("pub struct A(crate::b::B);", testing), [CIRCLE]);
}

#[test]
fn what_a_macro_defines_is_found() {
    assert_eq!(pair("pub struct A(crate::b::B);", "names! { B }\nfn b() -> super::a::A {}"), [CIRCLE]);
    let found = found(&[
        ("src/lib.rs", "macro_rules! each { () => { $crate::a::A }; } mod a;"),
        ("src/a.rs", "pub struct A; fn a() { each!(); }"),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    let exported = "#[macro_export] macro_rules! make { () => { $crate::a::A }; } pub struct B;";
    assert_eq!(pair("crate::make! {} pub struct A;", exported).len(), 1);
    assert_eq!(
        pair("pub struct A(crate::b::C);", "macro_rules! c { () => { pub struct C; } } c! {}"),
        Vec::<String>::new()
    );
}

#[test]
fn a_path_that_is_not_understood_is_told() {
    assert_eq!(pair("use crate::b::C;", "pub struct B;"), ["src/a.rs: where crate::b::C leads is not seen"]);
    assert_eq!(pair("use crate::b::C;", "use other::C;"), Vec::<String>::new());
    assert_eq!(found(&[("src/lib.rs", "mod a;")]), ["src/lib.rs: module a has no file"]);
    assert_eq!(found(&[("src/lib.rs", "mod a")]).len(), 1);
}

#[test]
fn folders_that_use_each_other_are_told_also_where_their_files_do_not() {
    let lib = "mod a; mod b; mod c;";
    let files = [
        ("src/lib.rs", lib),
        ("src/a/mod.rs", "pub mod one; mod two;"),
        ("src/a/one.rs", "pub struct One;"),
        ("src/a/two.rs", "pub struct Two(crate::b::It);"),
        ("src/b.rs", "mod inner; pub use inner::It;"),
        ("src/b/inner.rs", "pub struct It(crate::a::one::One);"),
        ("src/c.rs", "pub struct C(crate::b::It);"),
    ];
    let circle = "2 folders use each other in a circle:\n    src/a -> src/b: It\n    src/b -> src/a: One";
    assert_eq!(found(&files), [circle]);
    let one_way = files.map(|(file, text)| (file, if file == "src/a/two.rs" { "" } else { text }));
    assert_eq!(found(&one_way), Vec::<String>::new());
}
