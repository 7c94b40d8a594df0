#!/usr/bin/env node
// `npx turnpike …`: the same way in as for the npm commands, with the words of the command line behind it.
process.argv.splice(2, 0, 'turnpike');
await import('./run.mjs');
