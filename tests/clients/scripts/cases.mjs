/* What each script runs: cases by name, each of which returns the text that the client read at the end. */

const { GATEWAY: url = '', TOLLGATE_KEY: key = '', MODEL: model = '' } = process.env

export { key, model, url }

export const QUESTION = 'How is the weather in Paris?'
export const WEATHER = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}
/** What the tool answers; a second result proves that the first was sent back. */
export const weatherOf = ({ city }) => `${city}: sunny`

/** Runs the cases one after the other, and prints their results as one JSON document. */
export async function run(cases) {
  const results = {}
  for (const [name, work] of Object.entries(cases)) {
    try {
      results[name] = { text: String(await work()) }
    } catch (error) {
      results[name] = { error: `${error?.name}: ${error?.message}`.slice(0, 2000) }
    }
  }
  process.stdout.write(`\n${JSON.stringify(results)}\n`, () => process.exit(0))
}
