//! Tests of the pages in an automated browser.
//!
//! Without a browser these tests are skipped with a warning; `cargo xtask test` always runs them.

mod accessibility;
mod application;
mod apps;
mod axe;
mod callback;
mod chromium;
mod console;
mod failures;
mod files;
mod funds;
mod guides;
mod international;
mod journey;
mod pages;
mod payees;
mod payments;
mod portal;
mod requests;
mod staff;
mod views;
mod vrp;

use application::Application;
use axe::Axe;
use chromium::Chromium;
