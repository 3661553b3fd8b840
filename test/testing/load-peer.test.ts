import { loadPeer } from '../../src/testing/load-peer.ts';

const failing = (code: string, message: string) => () =>
  Promise.reject(Object.assign(new Error(message), { code }));

test('a package that is not installed is named, with what needs it and the remedy', async () => {
  await expect(
    loadPeer(
      '@here/gone',
      'scriptedModel',
      failing('ERR_MODULE_NOT_FOUND', "Cannot find package '@here/gone'"),
    ),
  ).rejects.toThrow(
    'scriptedModel needs the package @here/gone, which is not installed: npm install -D @here/gone',
  );
});

test('a package that is there and broken says itself what is wrong', async () => {
  const message = "Cannot find package 'other' imported from @elsewhere";
  await expect(
    loadPeer('@here/gone', 'scriptedModel', failing('ERR_MODULE_NOT_FOUND', message)),
  ).rejects.toThrow(message);
  await expect(loadPeer('@here/gone', 'x', failing('ERR_DLOPEN', 'no native part'))).rejects.toThrow(
    'no native part',
  );
});
