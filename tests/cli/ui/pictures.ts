import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const FOLDER = fileURLToPath(new URL('../../../docs/screens/', import.meta.url))

/** What is another each time: ages, dates, keys, codes, and the spaces and lines that make room for them. */
function steady(picture: string): string {
  return picture
    .replace(/\d+[smhd] ago/g, 'AGO')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'DATE')
    .replace(/sk-\w{4}\*+\w{4}/g, 'KEY')
    .replace(/\b[0-9a-f]{32}\b/g, 'CODE')
    .replace(/(test-)?0\.\d{6,}/g, 'RANDOM')
    .replace(/[·▁▂▃▄▅▆▇█]{4,}/g, 'LINE')
    .replace(/\d+\.\d\d s\b/g, 'SECONDS')
    .replace(/─+/g, '─')
    .replace(/ +/g, ' ')
}

/** Holds a picture against the one in the documentation; with `--update` it takes its place. */
export async function documented(name: string, picture: string): Promise<void> {
  const file = `${FOLDER}${name}.txt`
  const whole = `${picture}\n`
  const stored = existsSync(file) ? readFileSync(file, 'utf8') : ''
  await expect(steady(stored) === steady(whole) ? stored : whole).toMatchFileSnapshot(file)
}
