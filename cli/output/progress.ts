import type { OutputStream } from '../io.ts'

/** Progress of long work, on one terminal line. Prints nothing if stderr is not a terminal. */
export interface Progress {
  /** `done`: number of completed items. */
  at(done: number): void
  /** Clears the line. */
  end(): void
}

const BAR = 24
const REDRAW_MS = 80
const CLEAR_LINE = '\r\u001b[2K'

export function createProgress(
  output: OutputStream,
  { title, total }: { title: string; total: number | undefined },
): Progress {
  if (output.isTTY !== true) return { at: () => {}, end: () => {} }
  let drawnAt = 0
  return {
    at(done) {
      const now = Date.now()
      if (now - drawnAt < REDRAW_MS && done !== total) return
      drawnAt = now
      draw(output, `${title} ${total === undefined ? done : barOf(done, total)}`)
    },
    end: () => void output.write(CLEAR_LINE),
  }
}

/** Draws the line, truncated to one line of the terminal. */
function draw(output: OutputStream, line: string): void {
  output.write(`${CLEAR_LINE}${line.slice(0, Math.max(1, (output.columns || 80) - 1))}`)
}

/** Returns the bar, `done/total` and the percentage. */
function barOf(done: number, total: number): string {
  const fraction = total === 0 ? 1 : Math.min(1, done / total)
  const full = Math.round(fraction * BAR)
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done}/${total} ${Math.floor(fraction * 100)}%`
}

const CLOCK_MS = 500

/** Runs work of unknown duration. After half a second, shows the title and elapsed seconds on a terminal. */
export async function withClock<T>(output: OutputStream, title: string, work: () => Promise<T> | T): Promise<T> {
  if (output.isTTY !== true) return await work()
  const startedAt = performance.now()
  const timer = setInterval(() => {
    draw(output, `${title} … ${Math.floor((performance.now() - startedAt) / 1000)} s`)
  }, CLOCK_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    output.write(CLEAR_LINE)
  }
}
