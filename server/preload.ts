import { createRequire } from 'node:module'
import { loadConfusables } from '../core/accounts/lookalikes.ts'
import { loadHashing } from '../core/accounts/passwords.ts'
import { loadMailer } from '../core/mail/mail.ts'
import { loadLibrary } from '../core/pricing/library.ts'
import { loadSoundParsers } from './relay/endpoints/duration.ts'

/** The HTTP client loads its parser with its first connection. */
const HTTP_PARSER = 'undici/lib/llhttp/llhttp_simd-wasm.js'

/**
 * Loads the modules that requests need and that commands load only on demand. A gateway does this before it listens: an import that
 * fails once, such as at the limit of open files, fails for ever, and an upgrade may replace the files while the gateway runs.
 */
export async function preload(): Promise<void> {
  createRequire(import.meta.url)(HTTP_PARSER)
  loadConfusables()
  await Promise.all([loadHashing(), loadMailer(), loadLibrary(), loadSoundParsers()])
}
