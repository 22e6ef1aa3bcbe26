import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The shared resource, or the reason why there is none. */
export type DoorAnswer<Offer> = Offer | { reason: string }

export interface Started<Offer> {
  offer: Offer
  stop(): Promise<void>
}

export interface Door {
  url: string
  close(): Promise<void>
}

/**
 * Starts a server from which tests get shared resources. The first request for a path starts its resource; closing the
 * server stops all of them.
 */
export async function openDoor<Offer extends object>(start: (path: string) => Promise<Started<Offer>>): Promise<Door> {
  const starting = new Map<string, Promise<Started<Offer>>>()
  const server = createServer(({ url = '/' }, reply) => {
    const begun = starting.get(url) ?? start(url)
    starting.set(url, begun)
    const answer: Promise<DoorAnswer<Offer>> = begun.then(
      ({ offer }) => offer,
      (error) => ({ reason: String(error) }),
    )
    void answer.then((found) => reply.end(JSON.stringify(found)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      const begun = await Promise.allSettled(starting.values()) // The clients have received the error of a failed start.
      for (const outcome of begun) if (outcome.status === 'fulfilled') await outcome.value.stop()
    },
  }
}
