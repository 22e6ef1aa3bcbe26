import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const FOLDER = fileURLToPath(new URL('../../../docs/screens/', import.meta.url))

/** What is another each time: ages, dates, keys, codes, and the spaces and lines that make room for them. */
function steady(picture: string): string {
  return (
    picture
      .replace(/\d+[smhd] ago/g, 'AGO')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'DATE')
      .replace(/sk-\w{4}\*+\w{4}/g, 'KEY')
      .replace(/\b[0-9a-f]{32}\b/g, 'CODE')
      .replace(/(test-)?0\.\d{6,}/g, 'RANDOM')
      .replace(/[·▁▂▃▄▅▆▇█]{4,}/g, 'LINE')
      .replace(/\b\d+(\.\d\d)? s\b/g, 'SECONDS')
      // The wider an age is, the earlier the last column is cut off.
      .replace(/ ?[^ \n]*…/g, '…')
      .replace(/─+/g, '─')
      .replace(/ +/g, ' ')
  )
}

/** As long as a screen may take to be drawn to its end. */
const DRAWN_MS = 5000

/**
 * Holds what a terminal shows against the picture in the documentation, as soon as it is drawn to its end; with `--update` it takes
 * the picture's place.
 */
export async function documented(name: string, terminal: { picture(): string }): Promise<void> {
  const file = `${FOLDER}${name}.txt`
  const stored = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const screen = () => `${terminal.picture()}\n`
  const isStored = () => steady(stored) === steady(screen())
  for (const until = Date.now() + DRAWN_MS; !isStored() && Date.now() < until; ) await sleep(50)
  await expect(isStored() ? stored : screen()).toMatchFileSnapshot(file)
}
