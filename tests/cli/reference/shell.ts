/** A command line as a user types it in a shell, without its comment. */
export interface Line {
  text: string
  /** The words after `tollgate`; undefined if a shell must run the line, because it has pipes, files or variables. */
  words: string[] | undefined
}

export function lineOf(written: string): Line {
  const text = written.replace(/\s+#\s.*$/, '').trim()
  const words = wordsIn(text)
  return { text, words: words?.[0] === 'tollgate' ? words.slice(1) : undefined }
}

/** Returns the words without their quotes; undefined if the text has other shell syntax. */
function wordsIn(text: string): string[] | undefined {
  const words: string[] = []
  const rest = text.replace(/\s*((?:'[^']*'|"[^"$`\\]*"|\\.|[^\s'"\\|<>$`;&()])+)/gy, (_, word: string) => {
    words.push(word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (__, single, double, escaped) => single ?? double ?? escaped))
    return ''
  })
  return rest.trim() === '' ? words : undefined
}
