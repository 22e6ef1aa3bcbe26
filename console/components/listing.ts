import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'

/** Loads a page of a list. While another page or filter loads, the rows of the previous one remain visible. */
export const useListing = <Page>(queryKey: QueryKey, load: (signal: AbortSignal) => Promise<Page>) =>
  useQuery({ queryKey, queryFn: ({ signal }) => load(signal), placeholderData: keepPreviousData })
