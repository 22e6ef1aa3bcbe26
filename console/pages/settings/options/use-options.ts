import { useQuery } from '@tanstack/react-query'
import { listFilledSecrets, listOptions } from '../../../api/options.ts'

export const OPTION_KEY = 'option'

/** Loads all options except secrets, with their current values. */
export function useOptions() {
  return useQuery({ queryKey: [OPTION_KEY], queryFn: ({ signal }) => listOptions(signal) })
}

/** Loads the keys of the secrets that have a value. Until then, only the server checks options that need them. */
export function useFilledSecrets() {
  return useQuery({ queryKey: [OPTION_KEY, 'secrets'], queryFn: ({ signal }) => listFilledSecrets(signal) })
}
