import { startSimulatedUpstream } from '../../../dist/server/demo/upstream.js'
import { ready, settings } from './child.js'

/** The upstream of the benchmarks, twice: as fast as it goes, and paced like a model that thinks. */
const [fast, paced] = await Promise.all([
  startSimulatedUpstream(),
  startSimulatedUpstream({ tokensPerSecond: settings.tokensPerSecond }),
])

ready({ url: fast.url, pacedUrl: paced.url })
