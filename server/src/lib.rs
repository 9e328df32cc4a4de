//! Kerncast's server: keeps samples in Postgres, fits and validates models, serves forecasts.
//!
//! `routes/` is the index of the API: thin handlers on one [`App`], which document themselves (OpenAPI). Below it lie
//! the rooms, and `db/`, which holds all SQL, below all of them. A room is a folder here: one subject, imported downwards
//! only.

pub mod access;
mod app;
mod coalesce;
mod cpu_bound;
pub mod db;
pub mod events;
pub mod fitting;
mod forecasts;
pub mod http;
mod monitoring;
pub mod routes;
pub mod upkeep;
mod uploads;
mod views;

pub use app::App;
