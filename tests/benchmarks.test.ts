import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

// Benchmarks load compiled modules by address, which neither compiler nor bundler follows when a module is renamed.
test('modules of the gateway that benchmarks load exist', () => {
  const folder = join(ROOT, 'tests/bench/measure')
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const modules = texts.flatMap((text) =>
    [...text.matchAll(/'(?:\.\.\/dist\/)?((?:cli|core|server)\/[\w/-]+)\.js'/g)].map(([, path]) => `${path}.ts`),
  )
  expect(modules.length).toBeGreaterThanOrEqual(5)
  expect(modules.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
