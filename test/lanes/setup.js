"use strict";

/* global jest, laneSeconds */

// Jest ignores the `testTimeout` of a project, so each lane sets its own here.
jest.setTimeout(laneSeconds * 1000);
