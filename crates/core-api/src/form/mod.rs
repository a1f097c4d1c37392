//! The JSON form of values: parsing, serialisation and the schema from one declaration ([`objects!`](crate::objects)).

pub mod choice;
pub mod faults;
pub mod iso;
pub mod node;
pub mod schema;
pub mod shape;
pub mod telephone;
pub mod values;
pub mod words;
