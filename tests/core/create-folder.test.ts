import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFolder } from '../../core/create-folder.ts'
import { testFolder } from '../support/toolkit.ts'

test('creates missing parents with the mode, and returns the outermost', async () => {
  const outermost = join(await testFolder(), 'a')
  const path = join(outermost, 'b', 'c')

  expect(createFolder(path, 0o700)).toBe(outermost)
  expect(createFolder(path, 0o700)).toBeUndefined()
  for (const made of [outermost, path]) expect(statSync(made).mode & 0o777).toBe(0o700)
})

test('throws if a file is in the way, as the folder or as a parent', async () => {
  const file = join(await testFolder(), 'file')
  writeFileSync(file, '')

  expect(() => createFolder(file)).toThrow('EEXIST')
  expect(() => createFolder(join(file, 'below'))).toThrow('ENOTDIR')
})

test.runIf(process.platform === 'linux')('ends where no folder can be created, as mkdir -p does', () => {
  expect(() => createFolder('/proc/archive')).toThrow('ENOENT')
  expect(() => createFolder('/proc/archive/2026')).toThrow('ENOENT')
})

test('accepts a folder that another process creates at the same time', async () => {
  const path = join(await testFolder(), 'shared')
  mkdirSync(path)

  expect(createFolder(join(path, 'x'))).toBe(join(path, 'x'))
})
