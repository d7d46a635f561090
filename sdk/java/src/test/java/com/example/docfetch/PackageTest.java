package com.example.docfetch;

import static org.junit.jupiter.api.Assertions.*;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The package that users install, and its README. */
class PackageTest {
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```java\\n(.*?)^```");
  private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?(?:final )?class (\\w+)");

  @Test
  void theJarHasTheClassesAndNothingOfTheTests() throws Exception {
    var pom = Files.readString(Path.of("pom.xml"));
    var version = Pattern.compile("<version>(.*?)</version>").matcher(pom);
    assertTrue(version.find());
    try (var jar = new JarFile("target/docfetch-sdk-" + version.group(1) + ".jar")) {
      var names = jar.stream().map(JarEntry::getName).filter(name -> !name.endsWith("/")).collect(Collectors.toSet());
      assertTrue(
          names.containsAll(
              Set.of(
                  "com/example/docfetch/Docfetch.class",
                  "com/example/docfetch/api/Identity.class",
                  "META-INF/docfetch-sdk/README.md")));
      names.removeIf(name -> name.matches("com/example/docfetch/.*\\.class|META-INF/.*"));
      assertEquals(Set.of(), names);
      assertNull(jar.getEntry("com/example/docfetch/PackageTest.class"));
      assertEquals("com.example.docfetch", jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
    }
  }

  @Test
  void everyExampleCompiles(@TempDir Path folder) throws Exception {
    List<JavaFileObject> sources = new ArrayList<>();
    var examples = EXAMPLE.matcher(Files.readString(Path.of("README.md")));
    while (examples.find()) {
      var text = examples.group(1);
      var name = CLASS.matcher(text);
      assertTrue(name.find(), text);
      sources.add(
          new SimpleJavaFileObject(URI.create("string:///" + name.group(1) + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
              return text;
            }
          });
    }
    assertTrue(sources.size() >= 6, "examples: " + sources.size());
    var messages = new StringWriter();
    var options =
        List.of("--release", "11", "-cp", System.getProperty("java.class.path"), "-d", folder.toString(), "-Xlint:all", "-Werror");
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertTrue(compiler.getTask(messages, null, null, options, null, sources).call(), messages.toString());
  }
}
