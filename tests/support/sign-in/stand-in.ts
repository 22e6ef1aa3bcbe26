import { type Exchange, type HandMadeUpstream, sendJson, startUpstream } from '../hand-made-upstream.ts'

export type Route = (exchange: Exchange) => unknown

export interface StandIn extends HandMadeUpstream {
  /** Replaces the route of a path. */
  replaceRoute(path: string, route: Route): void
  /** Restores the initial routes, and clears the recorded requests. */
  forget(): void
}

/** Starts a local sign-in provider; unknown paths return 404. */
export async function startStandIn(routes: Record<string, Route>): Promise<StandIn> {
  let answers = new Map(Object.entries(routes))
  const upstream = await startUpstream((exchange) => {
    const [path = ''] = exchange.path.split('?')
    const route = answers.get(`${exchange.response.req.method} ${path}`)
    return route ? route(exchange) : sendJson(exchange, { error: `nothing at ${path}` }, 404)
  })
  return {
    ...upstream,
    replaceRoute: (path, route) => void answers.set(path, route),
    forget() {
      answers = new Map(Object.entries(routes))
      upstream.seen.length = 0
    },
  }
}

/** Returns the fields of a form body. */
export const formOf = ({ raw }: Exchange): Record<string, string> => Object.fromEntries(new URLSearchParams(`${raw}`))

/** Issues codes and tokens, each valid for one user, once. */
export function tickets<User>() {
  const good = new Map<string, User>()
  let number = 0
  return {
    issue(user: User): string {
      number += 1
      const ticket = `ticket+${number}/&?%C3`
      good.set(ticket, user)
      return ticket
    },
    take(ticket: unknown): User | undefined {
      const user = good.get(String(ticket))
      good.delete(String(ticket))
      return user
    },
  }
}
