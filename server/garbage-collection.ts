import { setFlagsFromString } from 'node:v8'

/**
 * Configures how V8 collects the objects of requests (https://v8.dev/blog/trash-talk). Call it before the first request.
 * While the young generation is small, most objects of running requests survive its collections. V8 then assumes that this code
 * creates long-lived objects and allocates some of them in the old generation, where they keep the rest of their relay alive until
 * a full collection. Measured with 32 connections: each collection copied a fifth of its objects and took 5 ms; without pretenuring
 * 1 ms. So little is copied then that parallel collection costs more than it saves.
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--no-parallel-scavenge')
}
