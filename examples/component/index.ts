import * as pulumi from "@pulumi/pulumi";
import { Provider } from "pulumi-compute-endpoint/native";
import { Database } from "./database";

const config = new pulumi.Config();
const production = config.getBoolean("production") ?? false;
const signingKey = config.requireSecret("signingKey");

// `main` takes its key and the service's address from the environment, `reports` from the stack's configuration.
const accounts = {
  main: new Provider("main"),
  reports: new Provider("reports", {
    apiKey: config.requireSecret("reportsKey"),
    baseUrl: config.require("reportsUrl"),
  }),
};

interface Declared {
  readonly account: keyof typeof accounts;
  readonly projectId: string;
  readonly branchId: string;
  readonly cu: number;
  readonly replicas: number;
  readonly interrupt?: boolean;
}

const databases = Object.entries(config.requireObject<Record<string, Declared>>("databases"));

/** The host of each database, by its name. */
export const hosts = Object.fromEntries(
  databases.map(([name, { account, ...args }]) => {
    const provider = accounts[account];
    return [name, new Database(name, { ...args, production, signingKey }, { provider }).host];
  }),
);
