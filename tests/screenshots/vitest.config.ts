import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { installTestPackages } from '../install.js'

installTestPackages()

/** Not tests: pictures of every screen, made by `npm run console-screens`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { pool: 'forks', testTimeout: 600_000, hookTimeout: 60_000, include: ['tests/screenshots/console.ts'] },
})
