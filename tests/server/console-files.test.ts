import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodedFor, loadConsoleFiles } from '../../server/console-files.ts'
import { createFolder } from '../cli/support.ts'

async function loadBuild() {
  const folder = await createFolder()
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'logo.png'), 'picture')
  for (const [name, text] of [
    ['index.html', '<html>'],
    ['assets/first-1a2b.js', 'start()'],
  ] as const) {
    writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text))
  }
  return { folder, files: loadConsoleFiles(folder) }
}

test('the files of a build are kept, with their types, after they are gone from the disk', async () => {
  const { folder, files } = await loadBuild()
  rmSync(folder, { recursive: true })
  expect([...files].map(([name, { type }]) => [name, type]).sort()).toEqual([
    ['assets/first-1a2b.js', 'text/javascript; charset=utf-8'],
    ['index.html', 'text/html; charset=utf-8'],
    ['logo.png', 'image/png'],
  ])
})

test.each([
  ['gzip, deflate, br', 'gzip'],
  ['br;q=1.0, gzip;q=0.5', 'gzip'],
  ['*', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip; q=0.0, identity', undefined],
  ['br', undefined],
  ['', undefined],
  [undefined, undefined],
])('a client that accepts %j gets the encoding %j', async (accepted, expected) => {
  const { files } = await loadBuild()
  const file = files.get('index.html')
  if (!file) throw new Error('there is no page')
  const { body, encoding } = encodedFor(file, accepted)
  expect(encoding).toBe(expected)
  expect((encoding ? gunzipSync(body) : body).toString()).toBe('<html>')
})

test('a file without a compressed copy is sent as it is', async () => {
  const { files } = await loadBuild()
  const file = files.get('logo.png')
  expect(file && encodedFor(file, 'gzip')).toEqual({ body: Buffer.from('picture') })
})
