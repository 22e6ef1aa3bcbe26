import { useQuery } from '@tanstack/react-query'
import { listFilledSecrets, listOptions } from '../../../api/options.ts'

export const OPTION_KEY = 'option'

/** Every option that is not a secret, with its value in force. */
export function useOptions() {
  return useQuery({ queryKey: [OPTION_KEY], queryFn: ({ signal }) => listOptions(signal) })
}

/** The names of the secrets that have a value. While they are unknown, what rests on a secret is for the server to judge. */
export function useFilledSecrets() {
  return useQuery({ queryKey: [OPTION_KEY, 'secrets'], queryFn: ({ signal }) => listFilledSecrets(signal) })
}
