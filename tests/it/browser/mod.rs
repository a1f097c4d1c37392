//! The pages as people meet them: in a real browser, driven.
//!
//! Without a browser these tests are skipped, loudly; `cargo xtask test` never lets them be.

mod accessibility;
mod application;
mod apps;
mod axe;
mod callback;
mod chromium;
mod failures;
mod files;
mod funds;
mod international;
mod journey;
mod pages;
mod payments;
mod views;
mod vrp;

use application::Application;
use axe::Axe;
use chromium::Chromium;
