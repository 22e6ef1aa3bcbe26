import { key, model, QUESTION, run, url } from './cases.mjs'
import { command } from './command.mjs'

/** With a base URL the program asks for a way to sign in that it rejects itself, unless its settings name one. */
const settings = JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } })

await run({
  prompt: () =>
    command(
      'gemini',
      ['--skip-trust', '-m', model, '-p', QUESTION],
      { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url },
      { '.gemini/settings.json': settings },
    ),
})
