import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type ConsoleFile, type Encoded, plainBytes } from './console-files.ts'

/** Id of the HTML element that contains the status. `console/api/status.ts` reads this element. */
const STATUS_ID = 'status'
/** Brotli quality. For this page of two kilobytes, the highest quality takes ten times as long to save a few bytes. */
const BROTLI_QUALITY = 5

/**
 * Returns a function that returns the console's page. The page contains the public status, so that the first render
 * needs no call. The page is compressed again only when the status changes.
 */
export function consolePage(file: ConsoleFile, status: () => object): () => Encoded {
  const html = plainBytes(file.content).toString()
  const end = html.indexOf('</head>')
  let embeddedStatus = ''
  let page: Encoded = file.content
  return () => {
    const text = JSON.stringify(status())
    if (text !== embeddedStatus) {
      embeddedStatus = text
      page = compress(`${html.slice(0, end)}${dataBlock(text)}${html.slice(end)}`)
    }
    return page
  }
}

/** Returns a data block, which browsers do not run. Escapes `<`, so that the JSON cannot close the element. */
const dataBlock = (json: string): string =>
  `<script type="application/json" id="${STATUS_ID}">${json.replaceAll('<', '\\u003c')}</script>`

function compress(text: string): Encoded {
  const br = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
  return { br, gzip: gzipSync(text) }
}
