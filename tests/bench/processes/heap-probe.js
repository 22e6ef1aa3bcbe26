import { writeFileSync } from 'node:fs'

/** Loaded into the gateway for the soak only (`node --import`): writes how much of the heap is in use, once a second. */
const file = process.env.BENCH_HEAP_FILE
if (file) setInterval(() => writeFileSync(file, String(process.memoryUsage().heapUsed)), 1_000).unref()
