import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const HERE = dirname(fileURLToPath(import.meta.url))
const DOCUMENT = join(HERE, '../../docs/security.md')
const MODEL = /^## Threat model\n(.*?)^## /ms.exec(readFileSync(DOCUMENT, 'utf8'))?.[1] ?? ''
const LINK = /\[[^\]]+\]\(([^)#]+\.test\.ts)\)/g

/** The rows of the tables, without their heads. */
const ROWS = MODEL.split('\n').filter((line) => line.startsWith('| ') && !/^\| (asset \||---)/.test(line))
const testsIn = (row: string): string[] => [...row.matchAll(LINK)].map(([, path = '']) => join(dirname(DOCUMENT), path))

test('the threat model has rows of asset, threat, mitigation and test', () => {
  expect(ROWS.length).toBeGreaterThan(40)
  for (const row of ROWS) {
    expect(row.split(' | '), row).toHaveLength(4)
    expect(testsIn(row), row).not.toEqual([])
  }
})

test('each listed test exists', () => {
  expect(ROWS.flatMap(testsIn).filter((path) => !existsSync(path))).toEqual([])
})

test('each test of this folder is listed', () => {
  const named = new Set(ROWS.flatMap(testsIn))
  const files = readdirSync(HERE).filter((name) => name.endsWith('.test.ts') && name !== 'threat-model.test.ts')
  expect(files.filter((name) => !named.has(join(HERE, name)))).toEqual([])
})
