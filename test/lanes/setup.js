"use strict";

/* global jest, laneSeconds */

// Of `testTimeout`, jest takes the one above all projects alone.
jest.setTimeout(laneSeconds * 1000);
