const FRAME_MS = 15
const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'

/** Where a terminal takes its characters. */
export interface Line {
  /** Answers false while it has had enough. */
  write(text: string): boolean
  onceDrained(then: () => void): void
}

export interface Painter {
  /** The whole picture, a line for each line of the terminal. */
  show(picture: string): void
  /** Forgets what the terminal shows: it was resized. */
  forget(): void
  stop(): void
}

/**
 * Brings a terminal from one picture to the next by writing only the lines that differ: nothing flickers, and a slow connection
 * carries little. Pictures that come faster than they can be drawn are left out.
 */
export function createPainter(line: Line): Painter {
  let shown: string[] = []
  let wanted: string[] | undefined
  let timer: NodeJS.Timeout | undefined
  let waiting = false

  function paint(): void {
    timer = undefined
    if (wanted === undefined || waiting) return
    const picture = wanted
    wanted = undefined
    const height = Math.max(picture.length, shown.length)
    let changes = ''
    for (let at = 0; at < height; at += 1) {
      const text = picture[at] ?? ''
      // Cleared first: behind a line that is full, the cursor still stands on its last character.
      if (text !== shown[at]) changes += `\u001b[${at + 1};1H\u001b[2K${text}`
    }
    shown = picture
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
      shown = []
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      wanted = undefined
    },
  }
}
