//! What is published for the people who write applications.

mod read;
