const FRAME_MS = 15
const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'

/** Output of the painter. */
export interface TerminalOutput {
  /** Returns false if the buffer is full. */
  write(text: string): boolean
  onceDrained(then: () => void): void
}

export interface Painter {
  /** Shows a frame, one line for each terminal line. */
  show(picture: string): void
  /** Repaints everything next time, for example after a resize. */
  forget(): void
  stop(): void
}

/**
 * Writes only the lines that differ from the previous frame, which prevents flicker and saves bandwidth. Skips frames that arrive
 * faster than the terminal accepts them.
 */
export function createPainter(line: TerminalOutput): Painter {
  let painted: string[] = []
  let wanted: string[] | undefined
  let timer: NodeJS.Timeout | undefined
  let waiting = false

  function paint(): void {
    timer = undefined
    if (wanted === undefined || waiting) return
    const picture = wanted
    wanted = undefined
    const height = Math.max(picture.length, painted.length)
    let changes = ''
    for (let at = 0; at < height; at += 1) {
      const text = picture[at] ?? ''
      // Clears first, because after a full line the cursor is still on the last character.
      if (text !== painted[at]) changes += `\u001b[${at + 1};1H\u001b[2K${text}`
    }
    painted = picture
    if (changes === '') return
    waiting = !line.write(BEGIN + changes + END)
    if (waiting) {
      line.onceDrained(() => {
        waiting = false
        paint()
      })
    }
  }

  return {
    show(picture) {
      wanted = picture.split('\n')
      timer ??= setTimeout(paint, FRAME_MS)
    },
    forget() {
      painted = []
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      wanted = undefined
    },
  }
}
