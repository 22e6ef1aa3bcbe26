#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'

// Node.js 22.8 and later cache compiled modules for the next start.
module.enableCompileCache?.()

const program = new URL('../dist/program/main.js', import.meta.url)
if (existsSync(program)) {
  const { main } = await import(program.href)
  await main()
} else {
  process.stderr.write('error: Tollgate is not built yet. Run: npm run build\n')
  process.exitCode = 1
}
