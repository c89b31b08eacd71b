"use strict";

/* global jest, laneSeconds */

// Jest reads `testTimeout` only above all projects, so each lane sets its own here.
jest.setTimeout(laneSeconds * 1000);
