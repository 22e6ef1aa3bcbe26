import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const HERE = dirname(fileURLToPath(import.meta.url))
const DOCUMENT = join(HERE, '../../docs/security.md')
const MODEL = /^## Threat model\n(.*?)^## /ms.exec(readFileSync(DOCUMENT, 'utf8'))?.[1] ?? ''
const LINK = /\[[^\]]+\]\(([^)#]+\.test\.ts)\)/g

/** The items of the lists: a threat, its mitigation and its tests. */
const ITEMS = MODEL.split(/\n(?=- |#|$)/m)
  .filter((item) => item.startsWith('- '))
  .map((item) => item.replace(/\s+/g, ' '))
const testsIn = (item: string): string[] =>
  [...item.matchAll(LINK)].map(([, path = '']) => join(dirname(DOCUMENT), path))

test('the threat model has items of threat, mitigation and test', () => {
  expect(ITEMS.length).toBeGreaterThanOrEqual(46)
  for (const item of ITEMS) {
    expect(item.replace(LINK, '')).toMatch(/^- [^:]+: [`[]?\w/)
    expect(testsIn(item), item).not.toEqual([])
  }
})

test('each listed test exists', () => {
  expect(ITEMS.flatMap(testsIn).filter((path) => !existsSync(path))).toEqual([])
})

test('each test of this folder is listed', () => {
  const named = new Set(ITEMS.flatMap(testsIn))
  const files = readdirSync(HERE).filter((name) => name.endsWith('.test.ts') && name !== 'threat-model.test.ts')
  expect(files.filter((name) => !named.has(join(HERE, name)))).toEqual([])
})
