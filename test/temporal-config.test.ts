import { setVariables, temporalConfig } from '../src/temporal-config.ts';

const given = { ...process.env };

afterEach(() => {
  process.env = { ...given };
});

test('a variable that is empty is none: no TLS, the usual address and namespace', () => {
  process.env = {
    TEMPORAL_CONFIG_FILE: '/nonexistent',
    TEMPORAL_ADDRESS: '',
    TEMPORAL_NAMESPACE: '',
    TEMPORAL_PROFILE: '',
    TEMPORAL_API_KEY: '',
    TEMPORAL_TLS: '',
    TEMPORAL_TLS_SERVER_NAME: '',
  };
  expect(temporalConfig()).toEqual({ connection: { address: '127.0.0.1:7233' } });
});

test('an empty header stays empty, which is how the environment takes one of the file away', () => {
  const env = { TEMPORAL_GRPC_META_TENANT: '', TEMPORAL_ADDRESS: '', HOME: '/root' };
  expect(setVariables(env)).toEqual({ TEMPORAL_GRPC_META_TENANT: '', HOME: '/root' });
});
