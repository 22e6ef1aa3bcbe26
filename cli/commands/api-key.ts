import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { apiKeyCreate } from './api-key/create.ts'
import { apiKeyList } from './api-key/list.ts'
import { apiKeyRevoke } from './api-key/revoke.ts'

export function apiKey(cli: Cli): Command {
  return [apiKeyCreate, apiKeyList, apiKeyRevoke].reduce(
    (noun, verb) => noun.addCommand(verb(cli)),
    new Command('api-key'),
  )
}
