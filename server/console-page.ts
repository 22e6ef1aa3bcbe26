import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type ConsoleFile, type Encoded, plainBytes } from './console-files.ts'

/** Id of the page's element with the status: `console/api/status.ts` reads it. */
const STATUS_ID = 'status'
/** For two kilobytes of text: the highest quality costs ten times as much and saves a few bytes. */
const BROTLI_QUALITY = 5

/**
 * Returns a function that returns the console's page with the status embedded, so that the first render needs no call. The page is
 * rebuilt and compressed only when the status changes.
 */
export function consolePage(file: ConsoleFile, status: () => object): () => Encoded {
  const html = plainBytes(file.content).toString()
  const end = html.indexOf('</head>')
  let shown = ''
  let page: Encoded = file.content
  return () => {
    const text = JSON.stringify(status())
    if (text !== shown) {
      shown = text
      page = compressed(`${html.slice(0, end)}${dataBlock(text)}${html.slice(end)}`)
    }
    return page
  }
}

/** A data block, which browsers do not run. Escaping prevents its contents from ending it. */
const dataBlock = (json: string): string =>
  `<script type="application/json" id="${STATUS_ID}">${json.replaceAll('<', '\\u003c')}</script>`

function compressed(text: string): Encoded {
  const br = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
  return { br, gzip: gzipSync(text) }
}
