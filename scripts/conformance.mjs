// Runs the public conformance suite of DynamoDB against the local engine, and compares what fails with conformance.txt;
// with --rewrite it writes that file. The suite is cloned into .cache/conformance; SUITE names a clone that is there.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const repository = "https://github.com/nubo-db/dynamodb-conformance";
const commit = "0ba4393668860db921afa5728feffe68b55e3e93";

const here = dirname(fileURLToPath(import.meta.url));
const recorded = join(here, "conformance.txt");
const cache = join(here, "../.cache");

function fail(problem) {
  console.error(problem);
  process.exit(1);
}

function run(command, ...args) {
  execFileSync(command, args, { stdio: ["ignore", "ignore", "inherit"] });
}

// The folder with the suite at the commit.
function fetchSuite() {
  const suite = process.env.SUITE ?? join(cache, "conformance");
  try {
    if (!existsSync(suite)) {
      run("git", "clone", "--quiet", repository, suite);
    }
    run("git", "-C", suite, "checkout", "--quiet", commit);
  } catch {
    fail(`The suite is missing: clone ${repository}, and set SUITE to the folder`);
  }
  // Its lock file names versions that not every registry still has.
  run("npm", "install", "--prefix", suite, "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error");
  return suite;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// Starts the engine, without a file. Returns its endpoint, once it answers, and how it is stopped.
async function startEngine() {
  const name = `@dynoxide/${process.platform}-${process.arch}/dynoxide`;
  const binary = process.env.DYNOXIDE ?? createRequire(import.meta.url).resolve(name);
  const port = await freePort();
  const engine = spawn(binary, ["--port", String(port)], { stdio: "ignore" });
  const endpoint = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 100; i++) {
    try {
      await fetch(endpoint);
      return { endpoint, stop: () => engine.kill() };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  engine.kill();
  return fail(`The local engine ${binary} does not answer`);
}

const suite = fetchSuite();
const engine = await startEngine();
const output = join(cache, "conformance.json");
rmSync(output, { force: true });
const { stderr } = spawnSync("node_modules/.bin/vitest", ["run", "--reporter=json", `--outputFile=${output}`], {
  cwd: suite,
  env: { ...process.env, DYNAMODB_ENDPOINT: engine.endpoint },
});
engine.stop();
if (!existsSync(output)) {
  fail(`The suite did not run: ${stderr}`);
}
const report = JSON.parse(readFileSync(output, "utf8"));
const lines = [];
for (const file of report.testResults) {
  for (const test of file.assertionResults.filter((one) => one.status !== "passed")) {
    lines.push(`${relative(join(suite, "tests"), file.name)}: ${test.fullName}: ${test.status}`);
  }
}
const text =
  `${report.numTotalTests} tests of ${repository} at ${commit.slice(0, 8)}: ${report.numPassedTests} passed\n` +
  lines.sort().map((line) => `${line}\n`).join("");
if (process.argv.includes("--rewrite")) {
  writeFileSync(recorded, text);
}
process.stdout.write(text);
if (readFileSync(recorded, "utf8") !== text) {
  fail(`The local engine differs from DynamoDB in other ways than ${relative(".", recorded)} says. If that is right, ` +
    "run node scripts/conformance.mjs --rewrite");
}
