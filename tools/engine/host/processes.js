"use strict";

/** The processes of the language host. */

const { spawn } = require("node:child_process");
const { clearTimeout, setTimeout } = require("node:timers");

/** How long a program that is interrupted may take to end. */
const interruptMs = 5000;

const children = new Set();

/** Runs a process that dies with this one, and says how it ended. `stopping` interrupts it. */
function runToEnd(command, args, { onOutput, stopping, ...options }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, options);
    children.add(child);
    void stopping?.then(() => interrupt(child));
    child.stdout?.on("data", (bytes) => onOutput("stdout", bytes));
    child.stderr?.on("data", (bytes) => onOutput("stderr", bytes));
    child.on("error", (error) => {
      children.delete(child);
      resolve({ code: -1, error });
    });
    child.on("close", (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    });
  });
}

/** A program that does not end of itself is killed. */
function interrupt(child) {
  child.kill("SIGINT");
  const killing = setTimeout(() => child.kill("SIGKILL"), interruptMs);
  child.once("close", () => clearTimeout(killing));
}

function stopChildren(signal) {
  for (const child of children) child.kill(signal);
}

/** As a cancelled run ends its program. */
function interruptChildren() {
  for (const child of children) interrupt(child);
}

function describeEnd({ code, signal, error }) {
  if (error) return `Program could not be started: ${error.message}`;
  return signal ? `Program was ended by ${signal}` : `Program exited with non-zero exit code: ${code}`;
}

/** Hands on what a process prints, as it comes. */
function writeTo(call, Response) {
  return (name, bytes) => {
    const response = new Response();
    if (name === "stdout") response.setStdout(bytes);
    else response.setStderr(bytes);
    call.write(response);
  };
}

module.exports = { runToEnd, stopChildren, interruptChildren, describeEnd, writeTo };
