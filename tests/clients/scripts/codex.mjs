import { key, model, QUESTION, run, url } from './cases.mjs'
import { command } from './command.mjs'

/** The one setting that a user must make: where the gateway is. */
const provider = `{name="gateway",base_url="${url}/v1",env_key="TOLLGATE_KEY",wire_api="responses"}`
const setting = ['-c', 'model_provider="gateway"', '-c', `model_providers.gateway=${provider}`]

await run({
  exec: () =>
    command('codex', ['exec', '--skip-git-repo-check', ...setting, '-m', model, QUESTION], { TOLLGATE_KEY: key }),
})
