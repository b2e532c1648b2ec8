// Package hotkeys finds the partition keys that have most of something in bounded memory: what a table's keys consume
// in Usage, and how often they were throttled.
package hotkeys
